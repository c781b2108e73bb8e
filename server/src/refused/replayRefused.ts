import type { Issue } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { checkReport } from '../orders/checkReport.js';
import { type CheckedReport, stampReport } from '../orders/stampReport.js';
import type { StoreReport } from '../orders/storeReport.js';
import { ApiError } from '../values/errors.js';
import { parseExactJson } from '../values/exactJson.js';
import { decodeId, encodeId, type Uuid } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import { correct, type RefusedChanges } from './correct.js';
import { parseCutJson } from './cutJson.js';
import { fieldOf } from './fieldNames.js';
import type { RefusedFilter, RefusedPlace, RefusedRow } from './refusedReport.js';
import { countRefusedAfter, lockRefused, removeRefused, updateRefused } from './sql/replayRefused.js';
import { storableIssues } from './storableIssues.js';

export type { RefusedChanges };

/** What became of a replayed report. */
export type ReplayOutcome =
  | { kind: 'new' | 'known'; orderNumber: string }
  /** It stays, with the new reason. */
  | { kind: 'refused'; code: string; message: string; issues: Issue[] | null };

/** A kept report that was replayed. */
export interface Replayed {
  entry: RefusedRow;
  outcome: ReplayOutcome;
}

/** What a replay needs. */
export interface ReplayDeps {
  /** Holds a transaction for each piece; not the connections that `storeReport` uses. */
  sql: Sql;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  /** The way that every report goes. */
  storeReport: StoreReport;
}

/** How far a replay goes. */
export interface ReplayOptions {
  changes?: RefusedChanges;
  /** No piece begins after that time of `performance.now()`; default: all. */
  untilMs?: number;
  /** Told after each piece, when it is committed. */
  onReplayed?: (replayed: readonly Replayed[]) => void;
}

/** Reports of one transaction: some 20 ms. */
const pieceRows = 64;

/**
 * Sends kept reports the way of every report again, the oldest first, judged by the domains and keys of now, as of the
 * time when they came first. What is stored leaves the list. In pieces of 64, so that other orders go on between them.
 *
 * Exactly once: a piece is locked, stored by other connections, removed, and committed. What dies between leaves the
 * kept report, and the next replay finds its order known: a report without any identifier gets one that follows from
 * its entry's, unless its body was cut, and then stays. Two replays at once never have the same report. Who erases a person removes their kept reports first and
 * waits for the lock, so that no replay brings an erased person back.
 *
 * Resolves with how many of the filter it has not tried, for want of time. Rejects with `unavailable` or the
 * database's failure; what was stored by then has left the list.
 */
export async function replayRefused(
  { sql, secret, storeReport }: ReplayDeps,
  teamId: Uuid,
  filter: RefusedFilter,
  { changes, untilMs = Number.POSITIVE_INFINITY, onReplayed = () => {} }: ReplayOptions = {},
): Promise<number> {
  for (let after: RefusedPlace | null = null; ; ) {
    if (performance.now() > untilMs) return countRefusedAfter(sql, teamId, { ...filter, after });
    const { replayed, failure }: Piece = await inTransaction(sql, (tx) => replayPiece(tx, after));
    onReplayed(replayed);
    if (failure) throw failure;
    const last = replayed.at(-1);
    if (!last || replayed.length < pieceRows) return 0;
    after = last.entry;
  }

  async function replayPiece(tx: Sql, after: RefusedPlace | null): Promise<Piece> {
    const entries = await lockRefused(tx, teamId, { ...filter, after, limit: pieceRows });
    const results = await Promise.all(entries.map(replayOne));
    const replayed: Replayed[] = [];
    let failure: Error | undefined;
    for (const [at, result] of results.entries()) {
      if (result instanceof Error) failure ??= result;
      else replayed.push({ entry: entries[at]!, outcome: result });
    }
    const stored = replayed.filter(({ outcome }) => outcome.kind !== 'refused');
    if (stored.length > 0) {
      await removeRefused(
        tx,
        teamId,
        stored.map(({ entry }) => entry.id),
      );
    }
    const refused = replayed.flatMap(({ entry: { id }, outcome }) =>
      outcome.kind === 'refused'
        ? [
            {
              id,
              reason: outcome.code,
              field: fieldOf(outcome.issues),
              issues: outcome.issues && storableIssues(outcome.issues),
            },
          ]
        : [],
    );
    // What a correction was refused for says nothing of what was sent.
    if (refused.length > 0 && !changes) await updateRefused(tx, teamId, refused);
    return { replayed, failure };
  }

  /** Resolves with an error when nothing is known of the outcome. */
  async function replayOne(entry: RefusedRow): Promise<ReplayOutcome | Error> {
    try {
      const order = await storeReport(teamId, toReplay(entry, { teamId, secret, changes }));
      return { kind: order.isNew ? 'new' : 'known', orderNumber: order.orderNumber };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) return error as Error;
      const { code, message, issues = null } = error;
      return { kind: 'refused', code, message, issues };
    }
  }
}

interface Piece {
  replayed: Replayed[];
  failure: Error | undefined;
}

const cutMessage = 'The body was cut before its orderId and reportId; correct the orderId to store it.';

/** Makes a report of a kept one. Throws the `ApiError` that refuses it. */
function toReplay(
  entry: RefusedRow,
  { teamId, secret, changes }: { teamId: Uuid; secret: string; changes: RefusedChanges | undefined },
): CheckedReport {
  const { keyHash, host, idempotencyKey, receivedAt } = entry;
  const isFromPage = keyHash === null;
  if (isFromPage && host === '') throw new ApiError('domain_not_allowed');
  const sent = entry.isCut ? parseCutJson(entry.body) : parseExactJson(entry.body);
  const body = changes ? correct(sent, { ...changes, teamId: encodeId('team', teamId) }, isFromPage) : sent;
  const { report, error } = checkReport(body, isFromPage);
  if (error) throw new ApiError('invalid_request', describeIssues(error));
  if (decodeId('team', report.teamId) !== teamId) throw new ApiError('team_mismatch');
  const sender = { teamId, keyHash, host: isFromPage ? host : null, createdAt: receivedAt.toISOString() };
  const checked = stampReport(report, { ...sender, idempotencyKey: idempotencyKey ?? undefined }, secret);
  if ((checked.orderId ?? checked.reportId ?? checked.idempotencyKey) === null) {
    // The part that is lost may have one, by which the order is stored already.
    if (entry.isCut) throw new ApiError('payload_too_large', { message: cutMessage });
    checked[isFromPage ? 'reportId' : 'idempotencyKey'] = encodeId('ref', entry.id);
  }
  return checked;
}
