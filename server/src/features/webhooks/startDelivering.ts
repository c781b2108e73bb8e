import { setMaxListeners } from 'node:events';
import { type AskAllTeams, askTogether } from '../../database/askAllTeams.js';
import type { Uuid } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';
import { withTimeout } from '../../values/withTimeout.js';
import { type AttemptDeps, attempt } from './attempt.js';
import { createIdleWait, type IdleWait } from './idleWait.js';
import { countToClaim, hasSlot, isIdle, type Lane, openLane, recordResult, takeClaimed } from './lane.js';
import { createOutcomes } from './outcomes.js';
import { claimDeliveries, leaseSeconds, listDueHooks } from './sql/dueDelivery.js';

/** Concurrent attempts of one server at most. */
export const slotsAtMost = 50;
/**
 * Limits of the slots. A team may hold at most as many slots as are still free. One team alone gets half of them.
 * Several teams still leave some for the next, so that a few cannot hold all.
 */
export const sharedSlots = { concurrent: slotsAtMost, concurrentPerKey: (free: number) => free, waiting: 0 };
/** Pause after each round of claims and attempts, while there is work. */
const pauseMs = 15;
/** Pause after each round while many orders wait to be stored. Each hook still has a turn in each round, but rounds are fewer. */
const busyPauseMs = 200;
/** Pause between two searches for due deliveries, while there is work. Without work, `IdleWait` decides. */
const listEveryMs = 200;
/** Time that a stopping server gives running attempts. */
const stopMs = 4_000;

/** Dependencies of the deliveries. They have a separate pool, so that orders never wait for them. */
export interface DeliveringDeps extends AttemptDeps {
  askAllTeams?: AskAllTeams;
  /** @returns true while many orders wait to be stored */
  isBusy?: () => boolean;
  /**
   * Most hooks whose deliveries are attempted in turn. Each takes some 2 KB of memory. A further hook follows when one of them has
   * no due deliveries.
   */
  hooksAtMost?: number;
  /** The pauses while there is no work. They end early if this server has made some. */
  idle?: IdleWait;
}

/**
 * Attempts the due deliveries of all teams until it is stopped. Only one server attempts a delivery at a time. Never
 * rejects.
 *
 * An attempt whose outcome could not be written is made again after its lease, by any server. Hooks take turns within
 * two limits: the hook's, and the server's, which teams share so that a few cannot hold all. A failing hook pauses. If
 * the database is slow or cannot be reached, it waits. While many orders wait to be stored, hooks have fewer turns.
 * @returns a function that stops it: nothing new begins, running attempts have up to 4 s, and are then cut and due
 * again immediately
 */
export function startDelivering({
  askAllTeams = askTogether,
  isBusy = () => false,
  hooksAtMost = 1_000,
  idle = createIdleWait(),
  ...deps
}: DeliveringDeps): () => Promise<void> {
  const { sql, clock, noteFault } = deps;
  const outcomes = createOutcomes(sql, noteFault);
  /** Hooks with work, in the order of their turns. */
  const lanes = new Map<Uuid, Lane>();
  const slots = createSemaphore(sharedSlots);
  const inFlight = new Set<Promise<void>>();
  const [stopping, cutting] = [new AbortController(), new AbortController()];
  setMaxListeners(slotsAtMost, cutting.signal);
  let listNextMs = 0;
  let away: ReadonlySet<Uuid> = new Set();
  const loop = run();
  return stop;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await round().catch((error) => {
        noteFault(error);
        return null;
      });
      await idle.wait(waitMs, stopping.signal);
    }
  }

  /**
   * Writes outcomes, claims due deliveries, and begins attempts. Resolves with the pause until the next round; null if
   * there was no work.
   */
  async function round(): Promise<number | null> {
    const hasWritten = await outcomes.write(away).catch(failed);
    const startMs = performance.now();
    if (startMs >= listNextMs) {
      await list();
      // The search reads every hook. With this pause it takes at most a fifth of the time. If a node cannot be reached,
      // the next search leaves it out.
      const tookMs = away.size > 0 ? 0 : performance.now() - startMs;
      listNextMs = performance.now() + Math.max(listEveryMs, 4 * tookMs);
    }
    let hasClaimed = false;
    for (const [id, lane] of [...lanes]) {
      if (stopping.signal.aborted) break;
      try {
        hasClaimed = (await claim(lane)) || hasClaimed;
      } catch (error) {
        failed(error);
        // Moves the hook behind the others. If its node cannot be reached, the next search finds that, and other hooks
        // there would fail, too.
        lanes.delete(id);
        lanes.set(id, lane);
        break;
      }
    }
    // Begins attempts of hooks whose pause is over.
    beginAll();
    if (!hasWritten && !hasClaimed && lanes.size === 0) return null;
    idle.wake();
    if (hasWritten || hasClaimed) return isBusy() ? busyPauseMs : pauseMs;
    return listEveryMs;
  }

  /** Notes a fault of one team. The next round then lists the due hooks again, which finds out which nodes cannot be reached. */
  function failed(error: unknown): false {
    noteFault(error);
    listNextMs = 0;
    return false;
  }

  /** Finds the hooks that are on and have work. Releases the claims of those that were switched off or removed. */
  async function list(): Promise<void> {
    for (const [id, lane] of lanes) if (isIdle(lane)) lanes.delete(id);
    const held = [...lanes.keys()];
    const due = await askAllTeams((ofTeams) => listDueHooks(sql, held, hooksAtMost, ofTeams));
    away = new Set(due.missing);
    const listed = new Map(due.rows.map((hook) => [hook.id, hook]));
    for (const [id, lane] of lanes) if (!listed.has(id)) release(lane);
    for (const [id, hook] of listed) {
      const lane = lanes.get(id);
      if (!lane) lanes.set(id, openLane(hook));
      else {
        lane.hook = { ...hook, failingSince: lane.hook.failingSince };
        lane.isDue = true;
      }
    }
  }

  /** Claims deliveries of a hook that has few left. Resolves with true if it has claimed any. */
  async function claim(lane: Lane): Promise<boolean> {
    const limit = countToClaim(lane);
    if (limit === 0) return false;
    // Taken before the statement, so that the lease in the database ends later than this.
    const endMs = performance.now() + leaseSeconds * 1_000;
    const deliveries = await claimDeliveries(sql, lane.hook, limit);
    lane.claimed.push(...deliveries.map((delivery) => ({ delivery, endMs })));
    lane.isDue = deliveries.length === limit;
    beginAll();
    return deliveries.length > 0;
  }

  /** Begins attempts of all hooks in turn, while there are slots. */
  function beginAll(): void {
    for (const [id, lane] of lanes) {
      if (!begin(lane)) continue;
      // Moves the hook behind the others. The loop over the Map then reaches it again.
      lanes.delete(id);
      lanes.set(id, lane);
    }
  }

  /** Begins an attempt of a hook. False if it has no claimed delivery or no slot. */
  function begin(lane: Lane): boolean {
    if (stopping.signal.aborted || !hasSlot(lane) || lane.claimed.length === 0) return false;
    const { teamId } = lane.hook;
    const releaseSlot = slots.tryAcquire(teamId);
    if (!releaseSlot) return false;
    const delivery = takeClaimed(lane);
    if (!delivery) {
      releaseSlot();
      return false;
    }
    lane.inFlight++;
    const attempting = attempt(lane.hook, delivery, cutting.signal, deps).then((ended) => {
      lane.inFlight--;
      releaseSlot();
      inFlight.delete(attempting);
      if (ended === null) outcomes.release(teamId, [delivery]);
      else {
        outcomes.add(teamId, ended);
        recordResult(lane, ended.result, clock.nowMs());
        // A hook that is slow, fails or wants no more requests may not hold as many claims as a quick one.
        if (!lane.isQuick) release(lane);
      }
      beginAll();
    });
    inFlight.add(attempting);
    return true;
  }

  /** Releases the claims of a hook. */
  function release(lane: Lane): void {
    const claimed = lane.claimed.splice(0).map(({ delivery }) => delivery);
    if (claimed.length > 0) outcomes.release(lane.hook.teamId, claimed);
    lane.isDue = false;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await withTimeout(stopMs, Promise.all([loop, ...inFlight]));
    cutting.abort();
    await withTimeout(stopMs / 4, Promise.all(inFlight));
    for (const lane of lanes.values()) release(lane);
    await withTimeout(stopMs / 4, outcomes.write(away).catch(noteFault));
  }
}
