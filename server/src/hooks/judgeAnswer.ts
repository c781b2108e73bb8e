import type { HookAnswer } from './hookAnswer.js';
import { type FailedAttempt, nextDelayMs } from './schedule.js';

/** The judgement of an attempt. */
export interface Judgement {
  /** `gone` when the receiver wants nothing more, `notSent` when there was nothing to send. */
  verdict: 'success' | 'failure' | 'gone' | 'notSent';
  status: number | null;
  /** Reason for which the attempt failed, as a sentence; null after a success. */
  error: string | null;
  answer: string | null;
  tookMs: number | null;
  /** Delay until the next attempt; null for none. */
  nextInMs: number | null;
  /** Time for which the receiver asks to be left alone; null for none. */
  retryInMs: number | null;
}

/** Statuses with which `Retry-After` counts (RFC 6585, section 4, and RFC 9110, section 15.6.4). */
const busy = [429, 503];

/** Judges the answer to an attempt. */
export function judgeAnswer(
  { status, error, answer, retryAfterMs, tookMs }: HookAnswer,
  tries: Pick<FailedAttempt, 'attempts' | 'ageMs'>,
): Judgement {
  const verdict = error === null ? 'success' : status === 410 ? 'gone' : 'failure';
  const retryInMs = status !== null && busy.includes(status) ? retryAfterMs : null;
  const nextInMs = verdict === 'failure' ? nextDelayMs({ ...tries, retryAfterMs: retryInMs }) : null;
  return { verdict, status, error, answer, tookMs: Math.round(tookMs), nextInMs, retryInMs };
}

/** The judgement of a delivery whose order or enrollment is not stored any more. */
export const subjectGone: Judgement = {
  verdict: 'notSent',
  status: null,
  error: 'Not sent: what it is about was removed, or its buyer was erased.',
  answer: null,
  tookMs: null,
  nextInMs: null,
  retryInMs: null,
};
