import type { GoodAnswer } from './goodClient.js';

/** How long the given share of answers took at most, in milliseconds; NaN without answers. */
export function percentile(answers: GoodAnswer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** The share of answers that acknowledged an order; 0 without answers, for that is no success. */
export function successOf(answers: GoodAnswer[]): number {
  const stored = answers.filter(({ status }) => status === 200).length;
  return answers.length === 0 ? 0 : stored / answers.length;
}

/** The answers in one line. */
export function describe(answers: GoodAnswer[]): string {
  const success = (successOf(answers) * 100).toFixed(1);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(answers, share).toFixed(1));
  return `${answers.length} reports, ${success} % stored, p50 ${p50} ms, p99 ${p99} ms`;
}

/** So many good answers on end are no accident; a single slow one later happens on an idle server too. */
const goodOnEnd = 10;

/**
 * How long after `sinceMs` the first of ten answers on end came that all acknowledged their order within
 * `quickMs`; infinite when there was no such ten.
 */
export function recoveryMs(answers: GoodAnswer[], sinceMs: number, quickMs: number): number {
  const isGood = ({ status, tookMs }: GoodAnswer) => status === 200 && tookMs <= quickMs;
  const first = answers.find((_, at) => {
    const next = answers.slice(at, at + goodOnEnd);
    return next.length === goodOnEnd && next.every(isGood);
  });
  return first ? first.atMs - sinceMs : Number.POSITIVE_INFINITY;
}
