import type { Sql } from '../../database/connection/connect.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import type { RefusedCursor, RefusedFilter, RefusedRow } from './refusedReport.js';
import { listRefused } from './sql/listRefused.js';

/** Reports of one piece at most: 6.5 MB if each body has 64 KiB. */
const pieceRows = 100;

/** Converts a kept report into the form of lists and exports. `body` is the text that was sent. */
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
    body: row.body,
  };
}

/** Lists the newest kept reports. */
export const listNewestRefused = async (sql: Sql, teamId: Uuid, { limit }: { limit: number }) =>
  (await listRefused(sql, teamId, { limit })).map(toListedRefused);

/** Reads kept reports in pieces, newest first. */
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
