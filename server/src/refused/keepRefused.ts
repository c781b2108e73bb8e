import { createGroupCommit } from '../database/batch/groupCommit.js';
import type { Sql } from '../database/connection/connect.js';
import { isDataError } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';
import { decideFates, mergeRepeated, type RefusedFate } from './decideFates.js';
import { describeRefused, type RefusedRequest } from './describeRefused.js';
import { createRefusalCounts } from './refusalCounts.js';
import type { RefusedBounds } from './refusedBounds.js';
import type { RefusedReport } from './refusedReport.js';
import { addRefused, findRefusedRoom, repeatRefused } from './sql/keepRefused.js';
import { addRefusalCounts } from './sql/refusalCount.js';

/** Keeps refused reports. */
export interface RefusedKeeper {
  /**
   * Keeps a refused report of a team that exists, and resolves when it is committed or not to be kept. Rejects when
   * the database could not do it, or not in time: then the caller must not be told that the report is refused for ever.
   */
  keep(teamId: Uuid, refusal: RefusedRequest): Promise<void>;
  /** Writes what is counted; no report may be kept after that. */
  stop(): Promise<void>;
}

/** Rows of one statement: 64 bodies of the largest size are 4 MB. */
const batchRows = 64;
const placesRemembered = 10_000;

/**
 * Makes what keeps refused reports, by a queue and a connection of its own: one transaction at a time, of reports of
 * one team. It gives up before anything else does: a report that finds no room in the queue is not kept, and what a
 * team has past its bounds is counted in memory and written once a second, so that a flood costs no statement per report.
 * Two servers may each keep one batch past the bounds.
 */
export function createRefusedKeeper(
  sql: Sql,
  onFate: (fate: RefusedFate) => void,
  bounds: RefusedBounds,
): RefusedKeeper {
  const counts = createRefusalCounts(bounds.hostsCounted);
  /** Places of the reports that wait or are being kept. */
  const places = createSemaphore({
    concurrent: bounds.reportsWaiting,
    concurrentPerKey: bounds.reportsWaitingOfTeam,
    waiting: 0,
  });
  /** Until when a team, or a host of it, is taken for full. */
  const fullUntil = createBoundedMap<number>(placesRemembered);
  let bytesWaiting = 0;
  let countTimer: NodeJS.Timeout | undefined;
  const commit = createGroupCommit<RefusedReport, RefusedFate>(keepAll, {
    batchRows,
    statementsInFlight: 1,
    // `places` limits them before they are submitted, because one report too many is not a failure here.
    rowsWaiting: bounds.reportsWaiting + 1,
    rowsWaitingOfGroup: bounds.reportsWaiting + 1,
    waitAtMostMs: bounds.waitAtMostMs,
  });

  return {
    async keep(teamId, refusal) {
      if (isFull(teamId, refusal.host)) return giveUp(teamId, refusal, 'counted');
      const bytes = refusal.text.length;
      const isTooLong = bytesWaiting + bytes > bounds.bytesWaiting;
      const release = isTooLong ? null : places.tryAcquire(teamId);
      if (!release) return giveUp(teamId, refusal, 'dropped');
      bytesWaiting += bytes;
      try {
        onFate(await commit.submit(teamId, describeRefused(refusal)));
      } catch (error) {
        // The same report would fail for ever.
        if (!isDataError(error)) throw error;
        giveUp(teamId, refusal, 'dropped');
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

  function giveUp(teamId: Uuid, { error, host, field }: RefusedRequest, fate: 'counted' | 'dropped'): void {
    count(teamId, { reason: error.code, host, field });
    onFate(fate);
  }

  function count(teamId: Uuid, refusal: { reason: string; host: string; field: string }): void {
    counts.add(teamId, refusal);
    countTimer ??= setTimeout(() => {
      countTimer = undefined;
      void writeCounts();
    }, bounds.countEveryMs).unref();
  }

  function isFull(teamId: Uuid, host: string): boolean {
    const now = performance.now();
    return (fullUntil.get(teamId) ?? 0) > now || (fullUntil.get(`${teamId} ${host}`) ?? 0) > now;
  }

  async function writeCounts(): Promise<void> {
    for (const teamId of counts.teams()) {
      const taken = counts.take(teamId);
      await addRefusalCounts(sql, teamId, taken).catch(() => counts.giveBack(teamId, taken));
    }
  }

  /** Keeps a batch of one team, and counts it and what of the team is not counted yet. */
  async function keepAll(teamId: Uuid, sent: RefusedReport[]): Promise<RefusedFate[]> {
    const reports = mergeRepeated(sent);
    const countedBefore = counts.take(teamId);
    for (const report of sent) counts.add(teamId, report);
    const counted = [...countedBefore, ...counts.take(teamId)];
    try {
      const fates = await inTransaction(sql, async (tx) => {
        const chosen = await choose(tx, teamId, reports);
        const of = (fate: RefusedFate) => reports.filter(({ identity }) => chosen.get(identity) === fate);
        if (of('repeated').length > 0) await repeatRefused(tx, teamId, of('repeated'));
        if (of('kept').length > 0) await addRefused(tx, teamId, of('kept'));
        await addRefusalCounts(tx, teamId, counted);
        return chosen;
      });
      const seen = new Set<string>();
      return sent.map(({ identity }) => {
        const isFirst = !seen.has(identity);
        seen.add(identity);
        const fate = fates.get(identity)!;
        return fate === 'kept' && !isFirst ? 'repeated' : fate;
      });
    } catch (error) {
      // Without this batch, whose reports come again.
      counts.giveBack(teamId, countedBefore);
      throw error;
    }
  }

  /** Says what becomes of each identity, and remembers what is full. */
  async function choose(tx: Sql, teamId: Uuid, reports: RefusedReport[]): Promise<Map<string, RefusedFate>> {
    const room = await findRefusedRoom(tx, teamId, {
      hosts: [...new Set(reports.map(({ host }) => host))],
      identities: reports.map(({ identity }) => identity),
      orderIds: reports.flatMap(({ orderId }) => orderId ?? []),
    });
    const { fates, full } = decideFates(room, reports, bounds);
    const fullEndMs = performance.now() + bounds.rememberFullMs;
    for (const host of full) fullUntil.set(host === null ? teamId : `${teamId} ${host}`, fullEndMs);
    return fates;
  }
}
