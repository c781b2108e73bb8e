import type { DueHook } from './hook.js';
import type { ClaimedDelivery } from './hookDelivery.js';
import type { HookResult } from './send.js';

/** A hook that this server attempts deliveries of. */
export interface Lane {
  hook: DueHook;
  /** Claimed deliveries whose attempt was not begun, with the end of each lease by `performance.now()`. */
  claimed: { delivery: ClaimedDelivery; endMs: number }[];
  inFlight: number;
  /** True until an attempt fails, is slow or has an answer that is cut, and again after one that has succeeded in short time. */
  isQuick: boolean;
  /** False until the first attempt of this lane has ended. */
  hasAnswered: boolean;
  /** False when the last claim has taken all that was due. */
  isDue: boolean;
  /** No attempt begins before this time, by `performance.now()`. */
  pausedUntilMs: number;
}

/** Attempts in flight of a quick hook. One that fails, is slow or has not answered yet has one. */
const slotsOfQuick = 5;
/** Deliveries of a quick hook that are claimed together; of another hook one. */
const claimedOfQuick = 50;
const quickMs = 5_000;
/** A hook that has failed for a time is attempted once in a tenth of it, and once in 10 s at least. */
const failingPart = 0.1;
const failingPauseMs = 10_000;
/** Time for which a `Retry-After` holds up the other deliveries of its hook. */
const retryAfterAtMostMs = 60_000;
/** The part of a lease that an attempt needs, which takes up to 15 s. */
const attemptMs = 25_000;

/** Makes the lane of a hook that has deliveries due. */
export function openLane(hook: DueHook): Lane {
  const isQuick = hook.failingSince === null;
  return { hook, claimed: [], inFlight: 0, isQuick, hasAnswered: false, isDue: true, pausedUntilMs: 0 };
}

const isPaused = ({ pausedUntilMs }: Lane) => performance.now() < pausedUntilMs;

/** True when nothing of a lane is claimed, in flight or waited for. */
export function isIdle(lane: Lane): boolean {
  return lane.inFlight === 0 && lane.claimed.length === 0 && !isPaused(lane);
}

/** Counts the deliveries to claim for a lane now: none while it has enough. */
export function countToClaim(lane: Lane): number {
  const { claimed, isDue, inFlight, isQuick } = lane;
  if (!isDue || isPaused(lane)) return 0;
  if (isQuick) return claimed.length < claimedOfQuick / 2 ? claimedOfQuick : 0;
  return claimed.length + inFlight === 0 ? 1 : 0;
}

/** True while the hook may get one more request. */
export function hasSlot(lane: Lane): boolean {
  return lane.inFlight < (lane.isQuick && lane.hasAnswered ? slotsOfQuick : 1) && !isPaused(lane);
}

/** Takes the next delivery whose lease lasts long enough. One whose lease has ended is due again by itself. */
export function takeClaimed({ claimed }: Lane): ClaimedDelivery | undefined {
  for (let next = claimed.shift(); next; next = claimed.shift())
    if (performance.now() < next.endMs - attemptMs) return next.delivery;
  return undefined;
}

/**
 * Records in a lane how an attempt went. The lane's own attempts say whether the hook fails, because those that are not
 * written yet would be missing in what is read back.
 * @param nowMs time by the database's clock
 */
export function recordResult(
  lane: Lane,
  { error, retryAfterMs, tookMs, isCut }: HookResult,
  nowMs: number,
): void {
  const { hook } = lane;
  lane.hasAnswered = true;
  lane.isQuick = error === null && tookMs <= quickMs && !isCut;
  const failingSince = error === null ? null : (hook.failingSince ?? new Date(nowMs));
  lane.hook = { ...hook, failingSince };
  if (failingSince === null) return;
  const pauseMs = Math.max(
    Math.min((nowMs - failingSince.getTime()) * failingPart, failingPauseMs),
    Math.min(retryAfterMs ?? 0, retryAfterAtMostMs),
  );
  lane.pausedUntilMs = performance.now() + pauseMs;
}
