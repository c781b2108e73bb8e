import type { GoodAnswer } from './goodClient.js';

/** Returns a percentile (0 to 1) of the answers' durations, in milliseconds; NaN without answers. */
export function percentile(answers: GoodAnswer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** Returns the share of answers that acknowledged an order; 0 without answers. */
export function successOf(answers: GoodAnswer[]): number {
  const stored = answers.filter(({ status }) => status === 200).length;
  return answers.length === 0 ? 0 : stored / answers.length;
}

/** Summarizes the answers in one line. */
export function describe(answers: GoodAnswer[]): string {
  const success = (successOf(answers) * 100).toFixed(1);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(answers, share).toFixed(1));
  return `${answers.length} reports, ${success} % stored, p50 ${p50} ms, p99 ${p99} ms`;
}

/** Number of good answers in a row that count as recovered. A single slow answer later also happens on an idle server. */
const goodInARow = 10;

/**
 * Returns the time from `sinceMs` until the server has recovered; infinite if it has not. Ten answers in a row have to
 * acknowledge an order within `quickMs` each. The time ends with the first of them.
 */
export function recoveryMs(answers: GoodAnswer[], sinceMs: number, quickMs: number): number {
  const isGood = ({ status, tookMs }: GoodAnswer) => status === 200 && tookMs <= quickMs;
  const first = answers.find((_, at) => {
    const next = answers.slice(at, at + goodInARow);
    return next.length === goodInARow && next.every(isGood);
  });
  return first ? first.atMs - sinceMs : Number.POSITIVE_INFINITY;
}
