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

/**
 * How long after `sinceMs` the first answer came from which on all acknowledged their order within `quickMs`;
 * infinite when none did.
 */
export function recoveryMs(answers: GoodAnswer[], sinceMs: number, quickMs: number): number {
  const lastBad = answers.findLast(({ status, tookMs }) => status !== 200 || tookMs > quickMs);
  const good = answers.find(({ atMs }) => atMs > (lastBad?.atMs ?? sinceMs));
  return good ? good.atMs - sinceMs : Number.POSITIVE_INFINITY;
}
