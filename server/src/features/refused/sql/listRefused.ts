import { orderDiffers } from '../../../core/orders/store/answer.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { type RefusedCursor, type RefusedFilter, type RefusedRow, refusedKeepMs } from '../refusedReport.js';

/**
 * Most characters of a body that a list reads, which have room for some 100 items. A list may have 50 bodies, so what was sent in a
 * longer one is not quoted.
 */
export const shownCharacters = 16_384;

/** The columns of `RefusedRow`. */
const refusedColumns = (sql: Sql, body = sql`body`) => sql`
  id, reason, field, issues, host, ${body}, key_hash as "keyHash",
  idempotency_key as "idempotencyKey", sdk_version as "sdkVersion", received_at as "receivedAt", last_at as "lastAt",
  times, is_test as "isTest", email, order_id as "orderId", amount, currency, statement, ${speakerOf(sql)} as speaker`;

/**
 * Selects the provider whose source sent a report: the name of the source's API key begins with it. Null for a page and
 * a backend.
 */
export const speakerOf = (sql: Sql) => sql`(
    select regexp_replace(name, ' source$', '') from api_key
    where api_key.team_id = refused_report.team_id and hash = key_hash and source_id is not null
  )`;

const shortBody = (sql: Sql) => sql`left(body, ${shownCharacters}) as body`;

/**
 * Selects the message on the invalid field of a report, up to the first colon, after which it may quote the report.
 * Empty for other reasons.
 */
export const causeOf = (sql: Sql) => sql`
  case when reason = 'invalid_request' then left(split_part(coalesce(issues->0->>'message', ''), ':', 1), 200) else '' end`;

/** Condition on `refused_report`: it matches the filter, is not discarded, and is at most 30 days old. */
export const isMeant = (sql: Sql, teamId: Uuid, filter: RefusedFilter = {}) => sql`
  ${matches(sql, teamId, filter)} and discarded_at is null`;

/** Condition on `refused_report`: it matches the filter and is at most 30 days old. It may be discarded. */
export const matches = (
  sql: Sql,
  teamId: Uuid,
  { isTest, reason, host, field, cause, until, ids }: RefusedFilter,
) => sql`
  refused_report.team_id = ${teamId} and received_at > now() - ${refusedKeepMs}::float8 * interval '1 millisecond'
  ${isTest === undefined ? sql`` : sql`and is_test = ${isTest}`}
  ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
  ${host === undefined ? sql`` : sql`and host = ${host}`}
  ${field === undefined ? sql`` : sql`and field = ${field}`}
  ${cause === undefined ? sql`` : sql`and ${causeOf(sql)} = ${cause}`}
  ${until === undefined ? sql`` : sql`and received_at <= ${until}`}
  ${ids === undefined ? sql`` : sql`and id = ${anyOf(sql, ids, 'uuid')}`}`;

/**
 * Lists kept reports, newest first.
 * @param options.before the last report of the previous page
 * @param options.isShort set to read only the first 16,384 characters of each body
 */
export function listRefused(
  sql: Sql,
  teamId: Uuid,
  {
    before,
    limit,
    isShort = false,
    ...filter
  }: RefusedFilter & { before?: RefusedCursor | undefined; limit: number; isShort?: boolean },
) {
  return sql<RefusedRow[]>`/* listRefused */
    select ${isShort ? refusedColumns(sql, shortBody(sql)) : refusedColumns(sql)} from refused_report
    where ${isMeant(sql, teamId, filter)}
      ${before ? sql`and (received_at, id) < (${before.receivedAt}, ${before.id})` : sql``}
    order by received_at desc, id desc
    limit ${limit}`;
}

/** Reports that are listed for one order. A page can be reloaded with the same mistake for weeks. */
const ofOrderAtMost = 10;

/** Lists up to 10 kept reports with an order's id or its report's id, the oldest first, with short bodies. */
export function listRefusedOfOrder(
  sql: Sql,
  teamId: Uuid,
  { orderId, reportId }: { orderId: string | null; reportId: string | null },
) {
  return sql<RefusedRow[]>`/* listRefusedOfOrder */
    select ${refusedColumns(sql, shortBody(sql))} from refused_report
    where ${isMeant(sql, teamId)} and (order_id = ${orderId} or report_id = ${reportId})
    order by received_at, id
    limit ${ofOrderAtMost}`;
}

/** Lists all kept reports of a buyer, also discarded and expired ones, newest first. */
export function listRefusedOf(sql: Sql, teamId: Uuid, email: string) {
  return sql<RefusedRow[]>`/* listRefusedOf */
    select ${refusedColumns(sql)} from refused_report
    where team_id = ${teamId} and email = ${email}
    order by received_at desc, id desc`;
}

/** Selects the five newest kept reports, each with the time of its last refusal. */
export const newestRefused = (sql: Sql, teamId: Uuid) => sql`
  select id, last_at as at from refused_report
  where ${isMeant(sql, teamId)} order by received_at desc, id desc limit 5`;

type Next = RefusedFilter & { after: RefusedCursor | null };

/**
 * Condition for the reports of a replay. Leaves out reports that differ from a stored order, because a person has to
 * decide, unless the filter selects them by id or reason.
 */
const isNext = (sql: Sql, teamId: Uuid, { after, ...filter }: Next) => sql`
  ${isMeant(sql, teamId, filter)}
  ${filter.ids === undefined && filter.reason === undefined ? sql`and reason <> ${orderDiffers}` : sql``}
  ${after ? sql`and (received_at, id) > (${after.receivedAt}, ${after.id})` : sql``}`;

/**
 * Locks the next kept reports for a replay, the oldest first, so that erasing and discarding wait. Leaves out reports
 * that another replay has locked.
 */
export function lockRefused(tx: Sql, teamId: Uuid, { limit, ...next }: Next & { limit: number }) {
  return tx<RefusedRow[]>`/* lockRefused */
    select ${refusedColumns(tx)} from refused_report
    where ${isNext(tx, teamId, next)}
    order by received_at, id
    limit ${limit}
    for update skip locked`;
}

/** Counts the kept reports of a filter, after a cursor if one is given. */
export async function countRefusedAfter(sql: Sql, teamId: Uuid, next: Next): Promise<number> {
  const [row] = await sql<[{ reports: number }]>`/* countRefusedAfter */
    select count(*)::int as reports from refused_report where ${isNext(sql, teamId, next)}`;
  return row.reports;
}
