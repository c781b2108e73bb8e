import { createGroupCommit } from '../database/batch/groupCommit.js';
import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { isDataError } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';
import { decideOutcomes, mergeRepeated, type RefusedOutcome } from './decideOutcomes.js';
import { describeRefused, type RefusedRequest } from './describeRefused.js';
import { type CountedRefusal, createRefusalCounts } from './refusalCounts.js';
import type { RefusedBounds } from './refusedBounds.js';
import type { RefusedReport } from './refusedReport.js';
import { addRefused, findKeptAlready, repeatRefused } from './sql/keepRefused.js';
import { addRefusalCounts } from './sql/refusalCount.js';

/** Keeps refused reports. */
export interface RefusedKeeper {
  /**
   * Keeps a refused report of a team that exists. Resolves when it is committed, or when it is not to be kept. Rejects
   * when the database could not do it, or not in time: the sender must then not be told that the refusal is final.
   */
  keep(teamId: Uuid, refusal: RefusedRequest): Promise<void>;
  /** Writes the counts; no report may be kept after that. */
  stop(): Promise<void>;
}

/** Rows of one statement: 64 bodies of the largest size are 4 MB. */
const batchRows = 64;
/** Cached teams and hosts whose quota is used up. */
const fullAtMost = 10_000;

/**
 * Keeps refused reports with a queue and a connection of its own: one transaction at a time, of reports of one team. It
 * gives up before anything else does. A report that finds no place in the queue is not kept. Reports past a team's quota
 * are counted in memory and written once a second, so that a flood costs no statement per report. Two servers may each
 * keep one batch past the quotas.
 */
export function createRefusedKeeper(
  sql: Sql,
  onOutcome: (outcome: RefusedOutcome) => void,
  bounds: RefusedBounds,
  clock: Clock,
): RefusedKeeper {
  const counts = createRefusalCounts(bounds.hostsCounted, clock);
  /** Places of the reports that wait or are being kept. */
  const places = createSemaphore({
    concurrent: bounds.reportsWaiting,
    concurrentPerKey: bounds.reportsWaitingOfTeam,
    waiting: 0,
  });
  /** The time until which the quota of a team, or of a host of it, counts as used up. */
  const fullUntilMs = createBoundedMap<number>(fullAtMost);
  let bytesWaiting = 0;
  let countTimer: NodeJS.Timeout | undefined;
  const queue = createGroupCommit<RefusedReport, RefusedOutcome>(keepAll, {
    batchRows,
    statementsInFlight: 1,
    // `places` limits the reports before they are submitted, because one too many is not a failure here.
    rowsWaiting: bounds.reportsWaiting + 1,
    rowsWaitingOfGroup: bounds.reportsWaiting + 1,
    waitAtMostMs: bounds.waitAtMostMs,
  });

  return {
    async keep(teamId, refusal) {
      if (isFull(teamId, refusal.host)) return countOnly(teamId, refusal, 'counted');
      const bytes = refusal.text.length;
      const hasBytes = bytesWaiting + bytes <= bounds.bytesWaiting;
      const release = hasBytes && places.tryAcquire(teamId);
      if (!release) return countOnly(teamId, refusal, 'dropped');
      bytesWaiting += bytes;
      try {
        onOutcome(await queue.submit(teamId, describeRefused(refusal, clock.nowMs())));
      } catch (error) {
        // The same report would fail for ever.
        if (!isDataError(error)) throw error;
        countOnly(teamId, refusal, 'dropped');
      } finally {
        bytesWaiting -= bytes;
        release();
      }
    },
    async stop() {
      clearTimeout(countTimer);
      await writeCounts();
    },
  };

  function countOnly(
    teamId: Uuid,
    { error, host, field }: RefusedRequest,
    outcome: 'counted' | 'dropped',
  ): void {
    count(teamId, { reason: error.code, host, field });
    onOutcome(outcome);
  }

  function count(teamId: Uuid, refusal: CountedRefusal): void {
    counts.add(teamId, refusal);
    countTimer ??= setTimeout(() => {
      countTimer = undefined;
      void writeCounts();
    }, bounds.countEveryMs).unref();
  }

  async function writeCounts(): Promise<void> {
    for (const teamId of counts.teams()) {
      const taken = counts.take(teamId);
      await addRefusalCounts(sql, teamId, taken).catch(() => counts.putBack(teamId, taken));
    }
  }

  function isFull(teamId: Uuid, host: string): boolean {
    const now = performance.now();
    return (fullUntilMs.get(teamId) ?? 0) > now || (fullUntilMs.get(`${teamId} ${host}`) ?? 0) > now;
  }

  /** Keeps a batch of one team, and writes its counts together with those of the team that are not written yet. */
  async function keepAll(teamId: Uuid, sent: RefusedReport[]): Promise<RefusedOutcome[]> {
    const reports = mergeRepeated(sent);
    const countedBefore = counts.take(teamId);
    for (const report of sent) counts.add(teamId, report);
    const counted = [...countedBefore, ...counts.take(teamId)];
    try {
      const outcomeOf = await inTransaction(sql, async (tx) => {
        const decided = await decide(tx, teamId, reports);
        const of = (outcome: RefusedOutcome) =>
          reports.filter(({ identity }) => decided.get(identity) === outcome);
        if (of('repeated').length > 0) await repeatRefused(tx, teamId, of('repeated'));
        if (of('kept').length > 0) await addRefused(tx, teamId, of('kept'));
        await addRefusalCounts(tx, teamId, counted);
        return decided;
      });
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

  /** Decides the outcome of each identity, and caches used-up quotas. */
  async function decide(
    tx: Sql,
    teamId: Uuid,
    reports: RefusedReport[],
  ): Promise<Map<string, RefusedOutcome>> {
    const kept = await findKeptAlready(tx, teamId, {
      hosts: [...new Set(reports.map(({ host }) => host))],
      identities: reports.map(({ identity }) => identity),
      orderIds: reports.flatMap(({ orderId }) => orderId ?? []),
    });
    const { outcomeOf, full } = decideOutcomes(kept, reports, bounds);
    const untilMs = performance.now() + bounds.rememberFullMs;
    for (const host of full) fullUntilMs.set(host === null ? teamId : `${teamId} ${host}`, untilMs);
    return outcomeOf;
  }
}
