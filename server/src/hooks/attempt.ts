import type { Clock } from '../database/clock.js';
import { isUnavailable } from '../database/failures.js';
import type { DueHook } from './hook.js';
import type { HookAnswer, SendHook } from './hookAnswer.js';
import { hookBody, hookRequest } from './hookBody.js';
import type { ClaimedDelivery } from './hookDelivery.js';
import { type Judgement, judgeAnswer, subjectGone } from './judgeAnswer.js';
import { readContent, type SubjectReaders } from './readContent.js';

/** The outcome of an attempt, for the row of its delivery. */
export interface HookOutcome extends Judgement {
  delivery: ClaimedDelivery;
  /** Times of the database's clock. */
  attemptedAt: Date;
  nextAt: Date | null;
  deliveredAt: Date | null;
}

/** Dependencies of an attempt. */
export interface AttemptDeps {
  read: SubjectReaders;
  send: SendHook;
  clock: Pick<Clock, 'nowMs'>;
  /** Ends the request of a server that stops. */
  signal: AbortSignal;
  /** Gets each failure to read what is told, and each fault of this code. */
  noteFault: (error: unknown) => void;
}

/**
 * Attempts a delivery: reads what is stored now, sends it, and judges the answer. Null when it did not begin, because the
 * database is away or the claim is too old by then, or when it was cut by a server that stops. Never rejects.
 * @param mayBegin true while the claim holds long enough
 */
export async function attempt(
  hook: DueHook,
  delivery: ClaimedDelivery,
  mayBegin: () => boolean,
  { read, send, clock, signal, noteFault }: AttemptDeps,
): Promise<HookOutcome | null> {
  const startMs = clock.nowMs();
  const conclude = (judgement: Judgement): HookOutcome => {
    const { verdict, nextInMs } = judgement;
    return {
      ...judgement,
      delivery,
      attemptedAt: new Date(startMs),
      nextAt: nextInMs === null ? null : new Date(clock.nowMs() + nextInMs),
      deliveredAt: verdict === 'success' ? new Date(clock.nowMs()) : null,
    };
  };
  const judge = (answer: HookAnswer) => {
    const ageMs = delivery.begunAt === null ? 0 : clock.nowMs() - delivery.begunAt.getTime();
    return judgeAnswer(answer, { attempts: delivery.attempts, ageMs });
  };
  try {
    const content = await readContent(read, hook.teamId, delivery);
    if (!mayBegin()) return null;
    if (content === undefined) return conclude(subjectGone);
    const request = hookRequest(hook, delivery, hookBody(hook, delivery, content), startMs);
    const answer = await send({ ...request, signal });
    if (answer.status === null && signal.aborted) return null;
    return conclude(judge(answer));
  } catch (error) {
    noteFault(error);
    if (isUnavailable(error)) return null;
    return conclude(judge(notSent(error as Error)));
  }
}

function notSent({ message }: Error): HookAnswer {
  return {
    status: null,
    error: `It could not be sent: ${message}.`,
    answer: null,
    retryAfterMs: null,
    tookMs: 0,
  };
}
