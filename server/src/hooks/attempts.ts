import { setMaxListeners } from 'node:events';
import type { Uuid } from '../values/ids.js';
import { type AttemptDeps, attempt, type HookOutcome } from './attempt.js';
import type { DeliveryBounds } from './deliveryBounds.js';
import { isReady, isSlow, type Lane, noteOutcome } from './lane.js';
import type { Outcomes } from './outcomes.js';
import { createPlaces } from './places.js';

/** The part of a lease that is left to an attempt, which takes up to 15 s. */
const attemptMs = 25_000;

/** Dependencies of the attempts. */
interface AttemptsDeps extends Omit<AttemptDeps, 'signal'> {
  /** Hooks with work, in the order of their turns. */
  lanes: Map<Uuid, Lane>;
  outcomes: Outcomes;
  /** Aborted when nothing new may begin. */
  stopping: AbortSignal;
  bounds: DeliveryBounds;
}

/** Attempts what the lanes have claimed, as far as there are places, and passes on the outcomes. */
export function createAttempts({ lanes, outcomes, stopping, bounds, ...deps }: AttemptsDeps) {
  const places = createPlaces(bounds);
  const inFlight = new Set<Promise<void>>();
  const cutting = new AbortController();
  setMaxListeners(bounds.inFlight, cutting.signal);
  const attemptDeps = { ...deps, signal: cutting.signal };
  return {
    beginAll,
    release,
    /** Resolves when the attempts in flight have ended. */
    ended: () => Promise.all(inFlight),
    /** Cuts the attempts in flight. */
    cut: () => cutting.abort(),
  };

  /** Begins attempts of all hooks in turn, as far as there are places. */
  function beginAll(): void {
    for (const [id, lane] of lanes) {
      if (!begin(lane)) continue;
      // Behind the others. A Map goes on with it after them.
      lanes.delete(id);
      lanes.set(id, lane);
    }
  }

  /** Begins an attempt of a hook. False when there is none, or no place for it. */
  function begin(lane: Lane): boolean {
    if (!isReady(lane) || stopping.aborted) return false;
    const releasePlace = places.tryAcquire(lane.hook, isSlow(lane));
    if (!releasePlace) return false;
    const { delivery, endMs } = lane.claimed.shift()!;
    const mayBegin = () => performance.now() < endMs - attemptMs && !stopping.aborted;
    lane.inFlight++;
    const attempting = attempt(lane.hook, delivery, mayBegin, attemptDeps).then((outcome) => {
      lane.inFlight--;
      releasePlace();
      inFlight.delete(attempting);
      if (outcome === null) outcomes.release(lane.hook.teamId, [delivery]);
      else note(lane, outcome);
      beginAll();
    });
    inFlight.add(attempting);
    return true;
  }

  function note(lane: Lane, outcome: HookOutcome): void {
    outcomes.add(lane.hook.teamId, outcome);
    noteOutcome(lane, outcome, deps.clock.nowMs());
    if (outcome.verdict === 'gone') release(lane);
  }

  /** Gives up the claims of a hook. */
  function release(lane: Lane): void {
    const claimed = lane.claimed.splice(0).map(({ delivery }) => delivery);
    if (claimed.length > 0) outcomes.release(lane.hook.teamId, claimed);
    lane.isDue = false;
  }
}
