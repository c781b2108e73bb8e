import type { Sql } from '../database/connection/connect.js';
import { mentionsEmail } from '../values/email.js';
import { encodeId, type Uuid } from '../values/ids.js';
import type { RefusedCursor, RefusedFilter, RefusedRow } from './refusedReport.js';
import { listRefused } from './sql/listRefused.js';
import { listMaybeOfBuyer, type MaybeOfBuyer } from './sql/removeRefused.js';

/** Reports of one piece: 6.5 MB with bodies of 64 KiB. */
const pieceRows = 100;

/** Turns a kept report into the form of lists and exports. `body` is the text that was sent. */
export function toListedRefused(row: RefusedRow) {
  return {
    id: encodeId('ref', row.id),
    reason: row.reason,
    issues: row.issues ?? [],
    host: row.host === '' ? null : row.host,
    reportedBy: row.keyHash === null ? ('browser' as const) : ('key' as const),
    receivedAt: row.receivedAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    times: row.times,
    orderId: row.orderId,
    email: row.email,
    amount: row.amount === null ? null : Number(row.amount),
    currency: row.currency,
    sdkVersion: row.sdkVersion,
    idempotencyKey: row.idempotencyKey,
    isCut: row.isCut,
    body: row.body,
  };
}

/** Reads kept reports, newest first, in pieces. */
export async function* readRefused(
  sql: Sql,
  teamId: Uuid,
  filter: RefusedFilter,
): AsyncGenerator<RefusedRow[]> {
  let before: RefusedCursor | undefined;
  for (;;) {
    const rows = await listRefused(sql, teamId, { ...filter, before, limit: pieceRows });
    if (rows.length > 0) yield rows;
    if (rows.length < pieceRows) return;
    before = rows.at(-1);
  }
}

/**
 * Finds all kept reports of a buyer: those with this email, and those that have no valid one and mention it, such as
 * `bob@ or ann@shop.example`. Reads the bodies of the latter, so it is for commands only.
 */
export async function findRefusedOf(sql: Sql, teamId: Uuid, email: string): Promise<Uuid[]> {
  const found: Uuid[] = [];
  const list = async (after: Uuid | null) =>
    listMaybeOfBuyer(sql, teamId, { email, after, limit: pieceRows });
  for (let next: Promise<MaybeOfBuyer[]> | null = list(null); next; ) {
    const rows: MaybeOfBuyer[] = await next;
    // The database reads a piece while this process looks through the one before.
    next = rows.length < pieceRows ? null : list(rows.at(-1)!.id);
    for (const { id, isOfBuyer, text } of rows)
      if (isOfBuyer || (text !== null && mentionsEmail(text, email))) found.push(id);
  }
  return found;
}
