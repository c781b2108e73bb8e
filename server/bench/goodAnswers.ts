import type { GoodAnswer } from './goodClient.js';

/** The given percentile (0 to 1) of the answers' durations, in milliseconds; NaN without answers. */
export function percentile(answers: GoodAnswer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** The share of answers that acknowledged an order; 0 without answers. */
export function successOf(answers: GoodAnswer[]): number {
  const stored = answers.filter(({ status }) => status === 200).length;
  return answers.length === 0 ? 0 : stored / answers.length;
}

/** A summary of the answers in one line. */
export function describe(answers: GoodAnswer[]): string {
  const success = (successOf(answers) * 100).toFixed(1);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(answers, share).toFixed(1));
  return `${answers.length} reports, ${success} % stored, p50 ${p50} ms, p99 ${p99} ms`;
}

/** Good answers in a row that count as recovered. A single slow answer later happens on an idle server too. */
const goodInARow = 10;

/**
 * The time from `sinceMs` to the first of ten answers in a row that each acknowledged an order within `quickMs`;
 * infinite when there is no such row.
 */
export function recoveryMs(answers: GoodAnswer[], sinceMs: number, quickMs: number): number {
  const isGood = ({ status, tookMs }: GoodAnswer) => status === 200 && tookMs <= quickMs;
  const first = answers.find((_, at) => {
    const next = answers.slice(at, at + goodInARow);
    return next.length === goodInARow && next.every(isGood);
  });
  return first ? first.atMs - sinceMs : Number.POSITIVE_INFINITY;
}
