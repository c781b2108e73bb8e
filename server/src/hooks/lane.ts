import type { HookOutcome } from './attempt.js';
import type { DueHook } from './hook.js';
import type { ClaimedDelivery } from './hookDelivery.js';

/** A hook that this server attempts deliveries of. */
export interface Lane {
  hook: DueHook;
  /** Claimed deliveries whose attempt was not begun, with the end of each lease by `performance.now()`. */
  claimed: { delivery: ClaimedDelivery; endMs: number }[];
  inFlight: number;
  /** Duration of the last attempt; null before the first, which shows how the hook answers. */
  lastMs: number | null;
  /** False when the last claim has taken all that was due. */
  isDue: boolean;
  /** No attempt begins before this time. */
  pausedUntilMs: number;
}

/** A hook that takes longer to answer is slow. */
const slowMs = 1_000;
/** A hook that has failed for a time is attempted once in a tenth of it, and once in 10 s at least. */
const failingPart = 0.1;
const failingPauseMs = 10_000;
/** Time for which a `Retry-After` holds up the other deliveries of its hook. */
const retryAfterAtMostMs = 60_000;

/** Makes the lane of a hook that has deliveries due. */
export function openLane(hook: DueHook): Lane {
  return { hook, claimed: [], inFlight: 0, lastMs: null, isDue: true, pausedUntilMs: 0 };
}

/**
 * Takes over what is stored of a lane's hook, which has deliveries due.
 * @param knowsLater the lane knows of an attempt that is not written yet: whether the hook fails is not read back
 */
export function updateLane(lane: Lane, hook: DueHook, knowsLater: boolean): void {
  const { failingSince } = knowsLater ? lane.hook : hook;
  lane.hook = { ...hook, failingSince };
  lane.isDue = true;
}

/** True while a hook is left alone, because it fails or has asked for it. */
export function isPaused({ pausedUntilMs }: Lane): boolean {
  return performance.now() < pausedUntilMs;
}

/** True when nothing of a lane is claimed, in flight or waited for. */
export function isIdle(lane: Lane): boolean {
  return lane.inFlight === 0 && lane.claimed.length === 0 && !isPaused(lane);
}

/**
 * Tells how many deliveries to claim for a lane now, which is 0 while it has enough.
 * @param atMost deliveries of a hook that works; one that fails is tried with one
 */
export function countToClaim(lane: Lane, atMost: number): number {
  const { hook, claimed, isDue, inFlight } = lane;
  const limit = hook.failingSince === null ? atMost : 1;
  const held = claimed.length + (hook.failingSince === null ? 0 : inFlight);
  return isDue && held <= (limit - 1) / 2 && !isPaused(lane) ? limit : 0;
}

/** True when a lane may begin an attempt, as far as it depends on the hook: one that fails or is new has one in flight. */
export function isReady(lane: Lane): boolean {
  const { hook, claimed, inFlight, lastMs } = lane;
  if (claimed.length === 0 || isPaused(lane)) return false;
  return inFlight === 0 || (hook.failingSince === null && lastMs !== null);
}

/** True for a hook that fails or is slow. */
export function isSlow({ hook, lastMs }: Lane): boolean {
  return hook.failingSince !== null || (lastMs !== null && lastMs > slowMs);
}

/**
 * Notes how an attempt went: how fast the hook answers, since when it fails, and how long it is left alone.
 * @param nowMs time by the database's clock
 */
export function noteOutcome(lane: Lane, { verdict, retryInMs, tookMs }: HookOutcome, nowMs: number): void {
  const { hook } = lane;
  lane.lastMs = tookMs ?? lane.lastMs;
  if (verdict === 'success') lane.hook = { ...hook, failingSince: null };
  if (verdict !== 'failure') return;
  const failingSince = hook.failingSince ?? new Date(nowMs);
  const failedMs = nowMs - failingSince.getTime();
  const pauseMs = Math.max(
    Math.min(failedMs * failingPart, failingPauseMs),
    Math.min(retryInMs ?? 0, retryAfterAtMostMs),
  );
  lane.hook = { ...hook, failingSince };
  lane.pausedUntilMs = performance.now() + pauseMs;
}
