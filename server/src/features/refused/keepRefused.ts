import { setImmediate as turn } from 'node:timers/promises';
import type { RefusedRequest } from '../../core/orders/refusedRequest.js';
import { closestDomain } from '../../core/teams/domains.js';
import { findTestKeys } from '../../core/teams/sql/apiKey.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import type { Clock } from '../../database/clock.js';
import type { Sql } from '../../database/connection/connect.js';
import { isDataError, isParentMissing } from '../../database/failures.js';
import { inTransaction } from '../../database/inTransaction.js';
import { statementsOf } from '../../database/pools.js';
import { createGroupCommit } from '../../database/queue.js';
import { isPrivateHost } from '../../values/addresses.js';
import { createBoundedMap } from '../../values/boundedMap.js';
import type { Uuid } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';
import { describeRefused } from './describeRefused.js';
import type { CountedOutcome, NewRefused, RefusedBounds, Unkept } from './refusedReport.js';
import {
  addRefused,
  findHeld,
  type KeptReport,
  removeOldest,
  repeatRefused,
  senderOf,
} from './sql/keepRefused.js';
import { removeStored } from './sql/removeRefused.js';

/**
 * The outcome of keeping a refused report. `kept`: it is a new entry. `repeated`: it was kept before. `counted`: it is
 * past the limits, or names the order of an erased buyer. `dropped`: too many others were waiting.
 */
export type RefusedOutcome = Exclude<CountedOutcome, 'evicted'>;

/** Keeps refused reports. */
export interface RefusedKeeper {
  /**
   * Keeps a refused report of a team that exists. Resolves after the commit, or if the report is not to be kept.
   * Rejects if the database failed or was too slow. The sender must then not be told that the refusal is final.
   */
  keep(teamId: Uuid, refusal: RefusedRequest): Promise<void>;
  /** Keeps a report that was accepted before, and does not wait. If that fails, only counts the report. */
  keepLater(teamId: Uuid, refusal: RefusedRequest): void;
  /** Counts the reports of a team that this server has not kept since its start; null if it has kept all. */
  findUnkept(teamId: Uuid): Unkept | null;
  /** Waits for the reports of `keepLater`. Call no method that keeps a report after that. */
  stop(): Promise<void>;
}

/** A report, and the client that sent it, which is not stored. */
interface SentReport {
  report: NewRefused;
  client: string;
}

/** Reports of one statement at most: 64 bodies of the largest size are 4 MB. */
const batchRows = 64;
/** Clients and teams whose reports are counted at most; some 200 bytes each. */
const remembered = 10_000;

/**
 * Creates the keeper of refused reports. It has a separate queue and connection, and runs one transaction at a time,
 * with reports of one team. If the queue is full, a report is dropped.
 */
export function createRefusedKeeper(
  sql: Sql,
  onOutcome: (outcome: CountedOutcome) => void,
  bounds: RefusedBounds,
  clock: Clock,
): RefusedKeeper {
  /** Reports that this server has kept of a client, for each of the team's hosts, and for all other hosts together. */
  const keptOf = createBoundedMap<number>(remembered);
  const unkept = createBoundedMap<Unkept>(remembered);
  const waiting = createSemaphore({
    concurrent: bounds.reportsWaiting,
    concurrentPerKey: bounds.reportsWaitingOfTeam,
    waiting: 0,
  });
  const waitingOfClient = createSemaphore({
    concurrent: bounds.reportsWaiting,
    concurrentPerKey: bounds.reportsWaitingOfClient,
    waiting: 0,
  });
  /** Running calls of `keepLater`. */
  const later = new Set<Promise<void>>();
  const queue = createGroupCommit<SentReport, RefusedOutcome>(
    (teamId, sent) => inTransaction(sql, (tx) => keepBatch(tx, teamId, sent)),
    {
      batchRows,
      statementsInFlight: statementsOf.refused,
      // `waiting` limits the reports before they are submitted, because a report too many is not an error here.
      rowsWaiting: bounds.reportsWaiting + 1,
      rowsWaitingOfGroup: bounds.reportsWaiting + 1,
      waitAtMostMs: bounds.waitAtMostMs,
    },
  );

  return {
    keep,
    findUnkept: (teamId) => unkept.get(teamId) ?? null,
    keepLater(teamId, refusal) {
      const kept: Promise<void> = turn()
        .then(() => keep(teamId, refusal))
        .catch(() => end(teamId, 'dropped'))
        .finally(() => later.delete(kept));
      later.add(kept);
    },
    async stop() {
      await Promise.all(later);
    },
  };

  async function keep(teamId: Uuid, refusal: RefusedRequest): Promise<void> {
    const { client = '' } = refusal;
    const releaseClient = waitingOfClient.tryAcquire(`${teamId} ${refusal.keyHash ?? client}`);
    const release = releaseClient && waiting.tryAcquire(teamId);
    if (!release) {
      releaseClient?.();
      return end(teamId, 'dropped');
    }
    try {
      end(teamId, await queue.submit(teamId, { report: describeRefused(refusal, clock.nowMs()), client }));
    } catch (error) {
      // The team was removed after this server has seen it.
      if (isParentMissing(error)) return;
      // A retry would fail with the same error.
      if (!isDataError(error)) throw error;
      end(teamId, 'dropped');
    } finally {
      release();
      releaseClient();
    }
  }

  /** Counts an outcome after which a report is not tried again. */
  function end(teamId: Uuid, outcome: RefusedOutcome): void {
    onOutcome(outcome);
    if (outcome === 'kept' || outcome === 'repeated') return;
    const until = new Date(clock.nowMs());
    const { reports, since } = unkept.get(teamId) ?? { reports: 0, since: until };
    unkept.set(teamId, { reports: reports + 1, since, until });
  }

  /** Keeps a team's reports inside a transaction. If the team has too many, the oldest ones are removed. */
  async function keepBatch(tx: Sql, teamId: Uuid, sent: readonly SentReport[]): Promise<RefusedOutcome[]> {
    const reports = sent.map(({ report }) => report);
    // Sent together, the queries cost one round trip.
    const [domains, testKeys, held] = await Promise.all([
      listDomains(tx, teamId),
      findTestKeys(
        tx,
        teamId,
        reports.flatMap(({ keyHash }) => keyHash ?? []),
      ),
      findHeld(tx, teamId, reports),
    ]);
    const modes = new Map(domains.map(({ domain, isTest }) => [domain, isTest]));
    const known = new Set(held.identities);
    const erased = new Set<string | null>(held.erased);
    const reportsOf = new Map(held.senders?.map(({ sender, reports }) => [sender, reports]));
    let others = held.others;
    const added = new Map<string, KeptReport>();
    const repeated = new Map<string, KeptReport>();
    const outcomes = sent.map(decide);
    await Promise.all([
      repeated.size > 0 && repeatRefused(tx, teamId, [...repeated.values()]),
      added.size > 0 && addRefused(tx, teamId, [...added.values()]),
    ]);
    if (added.size > 0) await removeStored(tx, teamId, [...added.keys()]);
    for (const isOwn of new Set([...added.values()].map(({ isOwn }) => isOwn))) {
      const room = isOwn ? bounds.ownReports : bounds.otherReports;
      const removed = await removeOldest(tx, teamId, isOwn, room);
      for (let n = 0; n < removed; n++) onOutcome('evicted');
    }
    return outcomes;

    function decide({ report, client }: SentReport): RefusedOutcome {
      const { identity, orderId, reportId, idempotencyKey, keyHash, host } = report;
      // The report would bring the erased email back.
      if (erased.has(orderId) || erased.has(reportId) || erased.has(idempotencyKey)) return 'counted';
      const same = added.get(identity) ?? repeated.get(identity);
      const entry = closestDomain(host, modes);
      const isOwn = keyHash !== null || entry !== undefined;
      // The mode of a host that is not allowed is unknown, except for private hosts, which are for tests.
      const isTest =
        keyHash === null ? (modes.get(entry ?? '') ?? isPrivateHost(host)) : testKeys.has(keyHash);
      if (same) same.times++;
      else if (known.has(identity)) repeated.set(identity, { ...report, isOwn, isTest });
      else return decideNew({ ...report, isOwn, isTest }, client);
      return 'repeated';
    }

    function decideNew(report: KeptReport, client: string): RefusedOutcome {
      const sender = senderOf(report);
      const reports = reportsOf.get(sender) ?? 0;
      const share = `${teamId} ${report.isOwn ? sender : 'others'} ${client}`;
      // If a sender's reports were removed, its clients' shares are empty, too.
      const ofClient = Math.min(keptOf.get(share) ?? 0, report.isOwn ? reports : others);
      const isShared = client !== '' && report.keyHash === null;
      if (reports >= bounds.reportsOfSender || (isShared && ofClient >= bounds.reportsOfClient))
        return 'counted';
      keptOf.set(share, ofClient + 1);
      reportsOf.set(sender, reports + 1);
      if (!report.isOwn) others++;
      added.set(report.identity, report);
      return 'kept';
    }
  }
}
