import { setImmediate as turn } from 'node:timers/promises';
import { createGroupCommit } from '../database/batch/groupCommit.js';
import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { isDataError, isParentMissing } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { statementsOf } from '../database/pools.js';
import type { Uuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';
import type { RefusedOutcome } from './decideOutcomes.js';
import { type Described, describeRefused, type RefusedRequest } from './describeRefused.js';
import { createFullSenders } from './fullSenders.js';
import { keepBatch } from './keepBatch.js';
import { createRefusalCounts } from './refusalCounts.js';
import type { RefusedBounds } from './refusedBounds.js';
import { lockPlaces } from './sql/keepRefused.js';
import { addRefusalCounts } from './sql/refusalCount.js';

/** Keeps refused reports. */
export interface RefusedKeeper {
  /**
   * Keeps a refused report of a team that exists. Resolves when it is committed, or when it is not to be kept. Rejects
   * when the database could not do it, or not in time: the sender must then not be told that the refusal is final.
   */
  keep(teamId: Uuid, refusal: RefusedRequest): Promise<void>;
  /** Keeps a report that was accepted, after its answer. One that cannot be kept is counted only. */
  keepLater(teamId: Uuid, refusal: RefusedRequest): void;
  /** Waits for the reports of `keepLater`, and writes the counts; no report may be kept after that. */
  stop(): Promise<void>;
}

/** Rows of one statement: 64 bodies of the largest size are 4 MB. */
const batchRows = 64;

/**
 * Keeps refused reports with a queue and a connection of its own: one transaction at a time, of reports of one team. It
 * gives up before anything else does. A report that finds no place in the queue is not kept. Reports past a team's quota
 * are counted in memory and written once a second, so that a flood costs no statement per report.
 */
export function createRefusedKeeper(
  sql: Sql,
  onOutcome: (outcome: RefusedOutcome | 'evicted') => void,
  bounds: RefusedBounds,
  clock: Clock,
): RefusedKeeper {
  const counts = createRefusalCounts(
    (teamId, counted) =>
      inTransaction(sql, async (tx) => {
        await lockPlaces(tx, teamId);
        await addRefusalCounts(tx, teamId, counted);
      }).catch((error) => {
        // The counts of a team that was removed would fail every second for ever.
        if (!isParentMissing(error)) throw error;
      }),
    bounds,
    clock,
  );
  /** Places in the queue, of the reports that wait or are being kept. */
  const waiting = createSemaphore({
    concurrent: bounds.reportsWaiting,
    concurrentPerKey: bounds.reportsWaitingOfTeam,
    waiting: 0,
  });
  const fullSenders = createFullSenders(bounds);
  let bytesWaiting = 0;
  /** Calls of `keepLater` that have not ended. */
  const later = new Set<Promise<void>>();
  const queue = createGroupCommit<Described, RefusedOutcome>(keepAll, {
    batchRows,
    statementsInFlight: statementsOf.refused,
    // `waiting` limits the reports before they are submitted, because one too many is not a failure here.
    rowsWaiting: bounds.reportsWaiting + 1,
    rowsWaitingOfGroup: bounds.reportsWaiting + 1,
    waitAtMostMs: bounds.waitAtMostMs,
  });

  return {
    keep,
    keepLater(teamId, refusal) {
      const kept: Promise<void> = turn()
        .then(() => keep(teamId, refusal))
        .catch(() => countOnly(teamId, refusal, 'dropped'))
        .finally(() => later.delete(kept));
      later.add(kept);
    },
    async stop() {
      await Promise.all(later);
      await counts.stop();
    },
  };

  async function keep(teamId: Uuid, refusal: RefusedRequest): Promise<void> {
    if (fullSenders.isFull(teamId, refusal)) return countOnly(teamId, refusal, 'counted');
    const bytes = refusal.text.length;
    const hasBytes = bytesWaiting + bytes <= bounds.bytesWaiting;
    const release = hasBytes && waiting.tryAcquire(teamId);
    if (!release) return countOnly(teamId, refusal, 'dropped');
    bytesWaiting += bytes;
    try {
      onOutcome(await queue.submit(teamId, describeRefused(refusal, clock.nowMs())));
    } catch (error) {
      // The team was removed since this server has seen it.
      if (isParentMissing(error)) return;
      // The same report would fail for ever.
      if (!isDataError(error)) throw error;
      countOnly(teamId, refusal, 'dropped');
    } finally {
      bytesWaiting -= bytes;
      release();
    }
  }

  function countOnly(
    teamId: Uuid,
    { error, host, field }: RefusedRequest,
    outcome: 'counted' | 'dropped',
  ): void {
    counts.add(teamId, { reason: error.code, host, field });
    onOutcome(outcome);
  }

  /** Keeps a batch of one team, and writes its counts together with those of the team that are not written yet. */
  async function keepAll(teamId: Uuid, sent: Described[]): Promise<RefusedOutcome[]> {
    const countedBefore = counts.take(teamId);
    for (const report of sent) counts.add(teamId, report);
    const counted = [...countedBefore, ...counts.take(teamId)];
    try {
      const { outcomeOf, pushedOut } = await inTransaction(sql, (tx) =>
        keepBatch(tx, teamId, sent, counted, bounds, fullSenders),
      );
      for (let n = 0; n < pushedOut; n++) onOutcome('evicted');
      const seen = new Set<string>();
      return sent.map(({ identity }) => {
        const isFirst = !seen.has(identity);
        seen.add(identity);
        const outcome = outcomeOf.get(identity)!;
        return outcome === 'kept' && !isFirst ? 'repeated' : outcome;
      });
    } catch (error) {
      // Without this batch, because its reports are sent again.
      counts.putBack(teamId, countedBefore);
      throw error;
    }
  }
}
