import type { Clock } from '../../database/clock.js';
import type { Sql } from '../../database/connection/connect.js';
import { isUnavailable } from '../../database/failures.js';
import type { DueHook } from './hook.js';
import { hookBody, hookRequest } from './hookBody.js';
import type { ClaimedDelivery } from './hookDelivery.js';
import { nextDelayMs } from './schedule.js';
import type { HookResult, SendHook } from './send.js';
import { readData } from './sql/delivery.js';

/** An attempt that has ended, as it is stored with its delivery. */
export interface Attempt {
  delivery: ClaimedDelivery;
  result: HookResult;
  /** Time of the database's clock. */
  attemptedAt: Date;
  /** Time of the next attempt; null if no further one follows. */
  nextAt: Date | null;
}

/** Dependencies of an attempt. */
export interface AttemptDeps {
  sql: Sql;
  send: SendHook;
  clock: Pick<Clock, 'nowMs'>;
  /** Called with each fault of the database or of this code. */
  noteFault: (error: unknown) => void;
}

/** @returns true if the receiver wants no more requests */
export const isGone = ({ status }: HookResult) => status === 410;

/**
 * Attempts a delivery. Never rejects.
 * @returns null if nothing was sent, because the delivery was erased or the database cannot be reached, or if a server
 * that stops has cut the request
 */
export async function attempt(
  hook: DueHook,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
  { sql, send, clock, noteFault }: AttemptDeps,
): Promise<Attempt | null> {
  const startMs = clock.nowMs();
  const end = (result: HookResult): Attempt => ({
    delivery,
    result,
    attemptedAt: new Date(startMs),
    nextAt: nextAttempt(delivery, result, clock.nowMs()),
  });
  try {
    const data = await readData(sql, hook.teamId, delivery);
    if (data === null || signal.aborted) return null;
    const body = hookBody(hook, delivery, data);
    const result = await send({ ...hookRequest(hook, delivery, body, startMs), signal });
    return result.status === null && signal.aborted ? null : end(result);
  } catch (error) {
    noteFault(error);
    return isUnavailable(error) ? null : end(notSent(error as Error));
  }
}

function nextAttempt({ attempts, begunAt }: ClaimedDelivery, result: HookResult, nowMs: number): Date | null {
  if (result.error === null || isGone(result)) return null;
  const ageMs = begunAt === null ? 0 : nowMs - begunAt.getTime();
  const delayMs = nextDelayMs({ attempts, ageMs, retryAfterMs: result.retryAfterMs });
  return delayMs === null ? null : new Date(nowMs + delayMs);
}

function notSent({ message }: Error): HookResult {
  const error = `It could not be sent: ${message}.`;
  return { status: null, error, answer: null, retryAfterMs: null, tookMs: 0 };
}
