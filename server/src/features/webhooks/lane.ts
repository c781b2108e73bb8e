import type { DueHook } from './hook.js';
import type { ClaimedDelivery } from './hookDelivery.js';
import type { HookResult } from './send.js';

/** A hook for which this server attempts deliveries. */
export interface Lane {
  hook: DueHook;
  /** Claimed deliveries that were not attempted yet, each with the end of its lease by `performance.now()`. */
  claimed: { delivery: ClaimedDelivery; endMs: number }[];
  inFlight: number;
  /**
   * Set if the last attempt succeeded in a short time, with its whole answer read. Before the first attempt: set if the hook was
   * not failing.
   */
  isQuick: boolean;
  /** Set after the first attempt of this lane has ended. */
  hasAnswered: boolean;
  /** Set if the hook may have more due deliveries than were claimed. Not set if the last claim took all. */
  isDue: boolean;
  /** Time of `performance.now()` before which no attempt begins. */
  pausedUntilMs: number;
}

/** Concurrent attempts of a quick hook. Any other hook has one: it fails, is slow or has not answered yet. */
const slotsOfQuick = 5;
/** Deliveries that are claimed together for a quick hook; for any other hook only one is claimed. See `Lane.isQuick`. */
const claimedOfQuick = 50;
const quickMs = 5_000;
/** The pause of a failing hook: a tenth of the time since its first failure, at most 10 s. */
const failingPart = 0.1;
const failingPauseMs = 10_000;
/** The longest `Retry-After` that holds up the other deliveries of its hook. */
const retryAfterAtMostMs = 60_000;
/** Part of a lease that is reserved for an attempt, which takes up to 15 s. */
const attemptMs = 25_000;

/** Creates the lane of a hook that has due deliveries. */
export function openLane(hook: DueHook): Lane {
  const isQuick = hook.failingSince === null;
  return { hook, claimed: [], inFlight: 0, isQuick, hasAnswered: false, isDue: true, pausedUntilMs: 0 };
}

const isPaused = ({ pausedUntilMs }: Lane) => performance.now() < pausedUntilMs;

/** @returns true if a lane has no claimed delivery, no running attempt and no pause */
export function isIdle(lane: Lane): boolean {
  return lane.inFlight === 0 && lane.claimed.length === 0 && !isPaused(lane);
}

/** Returns the number of deliveries to claim for a lane now. It is 0 if no further one is due, during a pause, or while it has enough. */
export function countToClaim(lane: Lane): number {
  const { claimed, isDue, inFlight, isQuick } = lane;
  if (!isDue || isPaused(lane)) return 0;
  if (isQuick) return claimed.length < claimedOfQuick / 2 ? claimedOfQuick : 0;
  return claimed.length + inFlight === 0 ? 1 : 0;
}

/** @returns true if the hook may get one more request now */
export function hasSlot(lane: Lane): boolean {
  return lane.inFlight < (lane.isQuick && lane.hasAnswered ? slotsOfQuick : 1) && !isPaused(lane);
}

/**
 * Takes the next delivery whose lease is long enough for an attempt. Drops the others, which become due when their
 * lease ends.
 */
export function takeClaimed({ claimed }: Lane): ClaimedDelivery | undefined {
  for (let next = claimed.shift(); next; next = claimed.shift())
    if (performance.now() < next.endMs - attemptMs) return next.delivery;
  return undefined;
}

/**
 * Records the result of an attempt in its lane. `failingSince` follows the lane's own attempts, because the stored
 * value lacks those that are not written yet.
 * @param nowMs time of the database's clock
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
