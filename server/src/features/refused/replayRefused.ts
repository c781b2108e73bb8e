import { setImmediate as turn } from 'node:timers/promises';
import type { Issue } from '@orderbeacon/sdk/contract';
import { fieldOf, storableIssues } from '../../core/orders/receive/issues.js';
import { refundNotStored } from '../../core/orders/refusedRequest.js';
import { findDifference, orderDiffers } from '../../core/orders/store/answer.js';
import type { StoreReport } from '../../core/orders/store/storeReport.js';
import { readTime } from '../../database/clock.js';
import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import type { MakeChanges, RefusedChanges } from './correct.js';
import type { RefusedCursor, RefusedFilter, RefusedRow } from './refusedReport.js';
import { isNoOrder } from './sourceWords.js';
import { updateRefused } from './sql/keepRefused.js';
import { countRefusedAfter, lockRefused } from './sql/listRefused.js';
import { removeRefused } from './sql/removeRefused.js';
import { toReplay } from './toReplay.js';

/** The outcome of a replayed report. */
export type ReplayOutcome =
  | { kind: 'new' | 'known'; id: string; orderNumber: string; isTest: boolean }
  /** It stays among the refused reports, with the new reason. */
  | { kind: 'refused'; code: string; message: string; issues: Issue[] | null };

/** A kept report that was replayed. */
export interface Replayed {
  entry: RefusedRow;
  outcome: ReplayOutcome;
}

/** Dependencies of a replay. */
export interface ReplayDeps {
  /** A pool for the replay's transactions, one for each piece. It must not use the connections of `storeReport`. */
  sql: Sql;
  /** The installation's secret, from which people's ids are made. */
  secret: string;
  /** Stores each report as if it had just been sent. */
  storeReport: StoreReport;
}

/** Options of a replay. */
export interface ReplayOptions {
  changes?: RefusedChanges | MakeChanges;
  /** Time of `performance.now()` after which no piece begins; default: no limit. */
  untilMs?: number;
  /** Called after the commit of each piece. */
  onReplayed?: (replayed: readonly Replayed[]) => void;
}

/** Reports of one transaction, which takes some 20 ms. */
const pieceRows = 64;

/**
 * Stores kept reports as if they were sent again, the oldest first.
 *
 * They are authorized by the current domains and keys, and dated at their first refusal. A stored report leaves the
 * list. The replay works in pieces of 64, so that other orders are stored between them.
 *
 * Each report is stored exactly once: a piece is locked, stored by other connections, removed, and committed. If the
 * process dies in between, the kept reports remain, and the next replay finds their orders known. A report without any
 * identifier gets one that is derived from its entry's id. If its body was cut, it is refused again. Two concurrent
 * replays never have the same report. Erasing a person removes their kept reports first and waits for the lock, so that
 * no replay brings an erased person back.
 *
 * Resolves with the number of matching reports that were not tried because time was up. Rejects with `unavailable` or
 * the database's failure; reports stored before that have left the list.
 */
export async function replayRefused(
  { sql, secret, storeReport }: ReplayDeps,
  teamId: Uuid,
  filter: RefusedFilter,
  { changes, untilMs = Number.POSITIVE_INFINITY, onReplayed = () => {} }: ReplayOptions = {},
): Promise<number> {
  for (let after: RefusedCursor | null = null; ; ) {
    if (performance.now() > untilMs) return countRefusedAfter(sql, teamId, { ...filter, after });
    const { replayed, failure }: Piece = await inTransaction(sql, (tx) => replayPiece(tx, after));
    onReplayed(replayed);
    if (failure) throw failure;
    const last = replayed.at(-1);
    if (!last || replayed.length < pieceRows) return 0;
    after = last.entry;
  }

  async function replayPiece(tx: Sql, after: RefusedCursor | null): Promise<Piece> {
    const entries = await lockRefused(tx, teamId, { ...filter, after, limit: pieceRows });
    const nowMs = Math.floor(await readTime(tx));
    const replaying: Promise<{ entry: RefusedRow; outcome: ReplayOutcome | Error }>[] = [];
    for (const entry of entries) {
      // A body of 64 KiB takes some milliseconds. Between two bodies, other requests have their turn.
      await turn();
      replaying.push(replayOne(entry, nowMs).then((outcome) => ({ entry, outcome })));
    }
    const results = await Promise.all(replaying);
    const failure = results.map(({ outcome }) => outcome).find((outcome) => outcome instanceof Error);
    const replayed = results.filter((result): result is Replayed => !(result.outcome instanceof Error));
    const stored = replayed.filter(({ outcome }) => outcome.kind !== 'refused');
    if (stored.length > 0)
      await removeRefused(
        tx,
        teamId,
        stored.map(({ entry }) => entry.id),
      );
    const refused = replayed.flatMap(({ entry: { id }, outcome }) => {
      if (outcome.kind !== 'refused') return [];
      const { code, issues } = outcome;
      return [{ id, reason: code, field: fieldOf(issues), issues: storableIssues(issues) }];
    });
    // The refusal of a correction is not a refusal of the report that was sent, so the reason stays.
    if (refused.length > 0 && !changes) await updateRefused(tx, teamId, refused);
    return { replayed, failure };
  }

  /** Resolves with an error if it is unknown whether the report was stored. */
  async function replayOne(entry: RefusedRow, nowMs: number): Promise<ReplayOutcome | Error> {
    try {
      if (neverStored.has(entry.reason) || isNoOrder(entry)) return leave(entry.reason, entry.issues);
      const report = toReplay(entry, { teamId, secret, changes, nowMs });
      const order = await storeReport(teamId, report);
      const difference = order.isNew ? undefined : findDifference(order, report);
      if (difference) return leave(orderDiffers, [difference]);
      const { isNew, id, orderNumber, isTest } = order;
      return { kind: isNew ? 'new' : 'known', id, orderNumber, isTest };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) return error as Error;
      const { code, issues = null } = error;
      return { kind: 'refused', code, message: code === 'invalid_api_key' ? revoked : error.message, issues };
    }
  }
}

interface Piece {
  replayed: Replayed[];
  failure: Error | undefined;
}

function leave(reason: string, issues: Issue[] | null): ReplayOutcome {
  const message =
    neverStored.get(reason) ?? `An event of a shop system ${issues?.[0]?.message ?? 'holds no order'}.`;
  return { kind: 'refused', code: reason, message, issues };
}

/** The message for a report whose API key was revoked. The error's usual message advises a new key, but a kept report keeps its key. */
const revoked =
  'The API key has since been revoked. Report this order with a key that is live, and discard it here.';

/** Reasons of the reports that a replay never stores, each with the advice on what a person can do instead. */
const neverStored: ReadonlyMap<string, string> = new Map([
  [
    orderDiffers,
    'The order is stored with other money, and stays so. Report it with an API key if this report is right, and discard the report.',
  ],
  [refundNotStored, 'This is a refund, not an order. Report it with an API key, and discard it here.'],
]);
