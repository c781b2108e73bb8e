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

/** Attempts in flight of one server. */
export const slotsAtMost = 50;
/**
 * A team may hold at most as many slots as are still free. One alone gets half of them, and several still leave some to the next,
 * so that a few teams cannot hold all.
 */
export const sharedSlots = { concurrent: slotsAtMost, concurrentPerKey: (free: number) => free, waiting: 0 };
/** Pause after each round of claims and attempts, while there is work. */
const pauseMs = 15;
/** The same while many orders wait: each hook has a turn in each round, and the rounds are fewer. */
const busyPauseMs = 200;
/** Pause between two searches for deliveries that are due, while there is work. Without any, `IdleWait` has it. */
const listEveryMs = 200;
/** Time that a stopping server gives attempts in flight. */
const stopMs = 4_000;

/** Dependencies of the deliveries. Their pool is their own, so that orders never wait for them. */
export interface DeliveringDeps extends AttemptDeps {
  askAllTeams?: AskAllTeams;
  /** True while many orders wait to be stored. */
  isBusy?: () => boolean;
  /** Hooks that take turns; some 2 KB each. The others follow when one of them has nothing that is due. */
  hooksAtMost?: number;
  /** Pauses without work, which end when this server has made some. */
  idle?: IdleWait;
}

/**
 * Attempts the deliveries of all teams that are due, each at one server at a time, until it is stopped. An attempt that
 * could not be written is made again after its lease, by any server. Hooks take turns within two limits: that of the hook,
 * and that of the server, which the teams share so that a few of them cannot hold all. A hook that fails pauses, too. A
 * database that is away or slow is waited for. While many orders wait, hooks have fewer turns. Never rejects.
 *
 * Returns a function that stops it: nothing new begins, attempts in flight have up to 4 s, then they are cut and are due
 * again immediately.
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
   * Writes what was attempted, claims what is due, and begins attempts. Resolves with the pause until the next round; null for
   * nothing to do.
   */
  async function round(): Promise<number | null> {
    const hasWritten = await outcomes.write(away).catch(failed);
    const startMs = performance.now();
    if (startMs >= listNextMs) {
      await list();
      // The search looks at every hook: with many of them it takes a fifth of the time at most. A node that is away is not asked
      // by the next one.
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
        // Behind the others. It may lie on a node that is away, which the search finds, and this one is not the only hook there.
        lanes.delete(id);
        lanes.set(id, lane);
        break;
      }
    }
    // Hooks whose pause is over.
    beginAll();
    if (!hasWritten && !hasClaimed && lanes.size === 0) return null;
    idle.wake();
    if (hasWritten || hasClaimed) return isBusy() ? busyPauseMs : pauseMs;
    return listEveryMs;
  }

  /** Notes a fault of one team, and has the next round find the teams whose node of a cluster is away. */
  function failed(error: unknown): false {
    noteFault(error);
    listNextMs = 0;
    return false;
  }

  /** Finds the hooks that are on and have work. Those that were switched off or removed keep nothing claimed. */
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

  /** Claims deliveries of a hook that has few left. True when it has claimed any. */
  async function claim(lane: Lane): Promise<boolean> {
    const limit = countToClaim(lane);
    if (limit === 0) return false;
    // From before the statement, so that the lease ends later than it seems.
    const endMs = performance.now() + leaseSeconds * 1_000;
    const deliveries = await claimDeliveries(sql, lane.hook, limit);
    lane.claimed.push(...deliveries.map((delivery) => ({ delivery, endMs })));
    lane.isDue = deliveries.length === limit;
    beginAll();
    return deliveries.length > 0;
  }

  /** Begins attempts of all hooks in turn, as far as there are slots. */
  function beginAll(): void {
    for (const [id, lane] of lanes) {
      if (!begin(lane)) continue;
      // Behind the others. A Map goes on with it after them.
      lanes.delete(id);
      lanes.set(id, lane);
    }
  }

  /** Begins an attempt of a hook. False when there is none, or no slot for it. */
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
        // What a quick hook may hold is too much for one that is slow, fails or wants nothing more.
        if (!lane.isQuick) release(lane);
      }
      beginAll();
    });
    inFlight.add(attempting);
    return true;
  }

  /** Gives up the claims of a hook. */
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
