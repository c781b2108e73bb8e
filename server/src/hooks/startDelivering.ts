import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import { withTimeout } from '../values/withTimeout.js';
import { createAttempts } from './attempts.js';
import { type DeliveryBounds, deliveryBounds } from './deliveryBounds.js';
import type { SendHook } from './hookAnswer.js';
import { countToClaim, isIdle, type Lane, openLane, updateLane } from './lane.js';
import { createOutcomes } from './outcomes.js';
import type { SubjectReaders } from './readContent.js';
import { claimDeliveries, leaseSeconds, listDueHooks } from './sql/dueDelivery.js';

/** Dependencies of the deliveries. */
export interface DeliveringDeps {
  /** A pool of their own, so that orders never wait for them. */
  sql: Sql;
  read: SubjectReaders;
  send: SendHook;
  clock: Pick<Clock, 'nowMs'>;
  /** Gets each fault of the database or of this code. */
  noteFault: (error: unknown) => void;
  /** True while many orders wait to be stored. */
  isBusy?: () => boolean;
  bounds?: DeliveryBounds;
}

/** Pause between two searches for due deliveries, while there is work. */
const listEveryMs = 200;

/**
 * Attempts the deliveries of all teams that are due, each at one server at a time, until it is stopped. An attempt whose
 * outcome could not be written is made again after its lease, by any server. Several hooks take turns, within `bounds`.
 * A hook has one place until it has answered. One that fails keeps that place and pauses, so that its host is not flooded.
 * Hooks that fail or are slow share a part of the places, so that the others have the rest. A team takes no more places than
 * it leaves free, so that a few teams cannot take all. A database that is away or slow is waited for. Orders come first:
 * while many wait, few deliveries are claimed. Never rejects.
 *
 * Returns a function that stops it: nothing new begins, attempts in flight have up to `bounds.stopMs`, then they are cut and
 * are due again immediately.
 */
export function startDelivering({
  sql,
  read,
  send,
  clock,
  noteFault,
  isBusy = () => false,
  bounds = deliveryBounds,
}: DeliveringDeps): () => Promise<void> {
  const outcomes = createOutcomes(sql);
  const lanes = new Map<Uuid, Lane>();
  const stopping = new AbortController();
  const { beginAll, release, ended, cut } = createAttempts({
    lanes,
    outcomes,
    stopping: stopping.signal,
    bounds,
    read,
    send,
    clock,
    noteFault,
  });
  let listNextMs = 0;
  const loop = run();
  return stop;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pauseMs = await round().catch((error) => {
        noteFault(error);
        return bounds.idleMs;
      });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Writes outcomes, claims what is due, and begins attempts. Resolves with the pause until the next round. */
  async function round(): Promise<number> {
    const hasWritten = await outcomes.write();
    const startMs = performance.now();
    if (startMs >= listNextMs) {
      await list();
      // The search looks at every hook: with many of them it takes a fifth of the time at most.
      listNextMs = performance.now() + Math.max(listEveryMs, 4 * (performance.now() - startMs));
    }
    const yields = isBusy();
    let hasClaimed = false;
    for (const lane of [...lanes.values()]) {
      if (stopping.signal.aborted || (yields && hasClaimed)) break;
      hasClaimed = (await claim(lane)) || hasClaimed;
    }
    // Hooks whose pause is over.
    beginAll();
    if (hasWritten || hasClaimed) return yields ? bounds.busyPauseMs : bounds.pauseMs;
    return lanes.size > 0 ? Math.min(listEveryMs, bounds.idleMs) : bounds.idleMs;
  }

  /** Finds the hooks that are on and have work. Those that were switched off or removed keep nothing claimed. */
  async function list(): Promise<void> {
    for (const [id, lane] of lanes) if (isIdle(lane)) lanes.delete(id);
    const listed = new Map(
      (await listDueHooks(sql, [...lanes.keys()], bounds.hooks)).map((hook) => [hook.id, hook]),
    );
    for (const [id, lane] of lanes) if (!listed.has(id)) release(lane);
    for (const [id, hook] of listed) {
      const lane = lanes.get(id);
      if (!lane) lanes.set(id, openLane(hook));
      else updateLane(lane, hook, outcomes.isWaiting(hook.teamId, id));
    }
  }

  /** Claims deliveries of a hook that has few left. True when it has claimed any. */
  async function claim(lane: Lane): Promise<boolean> {
    const limit = countToClaim(lane, bounds.claimed);
    if (limit === 0) return false;
    // From before the statement, so that the lease ends later than it seems.
    const endMs = performance.now() + leaseSeconds * 1_000;
    const deliveries = await claimDeliveries(sql, lane.hook, limit);
    lane.claimed.push(...deliveries.map((delivery) => ({ delivery, endMs })));
    lane.isDue = deliveries.length === limit;
    beginAll();
    return deliveries.length > 0;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await withTimeout(bounds.stopMs, Promise.all([loop, ended()]));
    cut();
    await withTimeout(bounds.stopMs / 4, ended());
    for (const lane of lanes.values()) release(lane);
    const writing = outcomes.write().catch(() => {});
    await withTimeout(bounds.stopMs / 4, writing);
  }
}
