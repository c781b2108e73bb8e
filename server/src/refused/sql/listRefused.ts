import { anyOf } from '../../database/anyOf.js';
import type { Sql } from '../../database/connection/connect.js';
import { orderDiffers } from '../../orders/orderAnswer.js';
import type { Uuid } from '../../values/ids.js';
import {
  type RefusedCursor,
  type RefusedFilter,
  type RefusedReason,
  type RefusedRow,
  refusedKeepMs,
} from '../refusedReport.js';

/** Characters of a body that hold its money and its buyer, unless somebody wants to hide them. Lists show no more of it. */
export const shownCharacters = 4_096;

/** The columns of `RefusedRow`. */
const refusedColumns = (sql: Sql, body = sql`body`) => sql`
  id, reason, field, issues, host, ${body}, is_cut as "isCut", key_hash as "keyHash",
  idempotency_key as "idempotencyKey", sdk_version as "sdkVersion", received_at as "receivedAt", last_at as "lastAt",
  times, email, order_id as "orderId", amount, currency`;

const shortBody = (sql: Sql) => sql`left(body, ${shownCharacters}) as body`;

/** Condition on `refused_report`: it belongs to the team, matches the filter, is not discarded and not older than 30 days. */
export const isMeant = (sql: Sql, teamId: Uuid, filter: RefusedFilter = {}) => sql`
  ${matches(sql, teamId, filter)} and discarded_at is null`;

/** The same, whether discarded or not. */
export const matches = (sql: Sql, teamId: Uuid, { reason, host, field, until, ids }: RefusedFilter) => sql`
  refused_report.team_id = ${teamId} and received_at > now() - ${refusedKeepMs}::float8 * interval '1 millisecond'
  ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
  ${host === undefined ? sql`` : sql`and host = ${host}`}
  ${field === undefined ? sql`` : sql`and field = ${field}`}
  ${until === undefined ? sql`` : sql`and received_at <= ${until}`}
  ${ids === undefined ? sql`` : sql`and id = ${anyOf(sql, ids, 'uuid')}`}`;

/**
 * Lists kept reports, newest first.
 * @param options.before the last of the page before
 * @param options.isShort true: no more than the first 4,096 characters of each body, of which 50 may be 64 KiB each
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

/** Kept reports that one fix settles. */
export interface RefusedGroupRow {
  reason: RefusedReason;
  /** Empty for reports with a key, and for pages that name none. */
  host: string;
  /** The first invalid field; empty for none. */
  field: string;
  /** The beginning of one of the bodies, as an example of what was sent: of the newest with a readable amount, if there is one. */
  body: string;
  reports: number;
  /** Reports without a readable amount, which `sums` lacks. */
  withoutAmount: number;
  /** Sums of the ten currencies with the most reports; amounts are exact texts. */
  sums: { currency: string; amount: string }[];
  /** Number of other currencies. */
  otherCurrencies: number;
  /** The first and the last refusal. */
  firstAt: Date;
  lastAt: Date;
  /** Number of all groups. */
  groups: number;
}

/** Anyone can report from any number of hosts, in any number of currencies. */
export const groupsAtMost = 50;
const currenciesAtMost = 10;

/** Groups the kept reports by reason, host and field: the 50 groups with the latest refusals. */
export function groupRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter = {}) {
  return sql<RefusedGroupRow[]>`/* groupRefused */
    with part as (
      select reason, host, field, amount is not null and currency is not null as is_read,
        case when amount is not null then currency end as currency, count(*) as reports, sum(amount) as amount,
        min(received_at) as first_at, max(last_at) as last_at, max(id::text) as newest
      from refused_report
      where ${isMeant(sql, teamId, filter)}
      group by 1, 2, 3, 4, 5
    ), latest as (
      select reason, host, field, count(*) over () as groups from part
      group by reason, host, field
      order by max(last_at) desc, reason, host, field
      limit ${groupsAtMost}
    ), ranked as (
      select *, row_number() over (
        partition by reason, host, field order by is_read desc, reports desc, currency
      ) as rank
      from part join latest using (reason, host, field)
    ), grouped as (
      select reason, host, field, sum(reports)::int as reports,
        coalesce(sum(reports) filter (where not is_read), 0)::int as "withoutAmount",
        coalesce(
          json_agg(json_build_object('currency', currency, 'amount', amount::text) order by rank)
            filter (where is_read and rank <= ${currenciesAtMost}), '[]'
        ) as sums,
        (count(*) filter (where is_read and rank > ${currenciesAtMost}))::int as "otherCurrencies",
        min(first_at) as "firstAt", max(last_at) as "lastAt", coalesce(max(newest) filter (where is_read), max(newest))::uuid as newest, groups::int
      from ranked
      group by reason, host, field, groups
    )
    select grouped.*, left(body, ${shownCharacters}) as body
    from grouped join refused_report on refused_report.team_id = ${teamId} and id = newest
    order by "lastAt" desc, reason, host, field`;
}

/** Reports of one currency. */
export interface RefusedSum {
  /** Null for reports without a readable amount or currency. */
  currency: string | null;
  /** Exact text. */
  amount: string;
  /** Number of reports of all currencies. */
  reports: number;
}

/**
 * Adds up the kept reports: the two currencies with the most reports, because every page names the first one, and a page can
 * make up any number of them. Empty for no reports.
 */
export function sumRefused(sql: Sql, teamId: Uuid) {
  return sql<RefusedSum[]>`/* sumRefused */
    select case when amount is not null then currency end as currency, coalesce(sum(amount), 0)::text as amount,
      (sum(count(*)) over ())::int as reports
    from refused_report
    where ${isMeant(sql, teamId)}
    group by 1
    order by bool_and(amount is null or currency is null), count(*) desc, 1
    limit 2`;
}

/** Reports that are listed for one order. A page can be reloaded with the same mistake for weeks. */
const ofOrderAtMost = 10;

/** Lists the kept reports that name an order's own id or the id of its report, the oldest first, at most 10, with short bodies. */
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

/** Lists kept reports, also discarded and expired ones, the newest first. */
export function listRefusedByIds(sql: Sql, teamId: Uuid, ids: readonly Uuid[]) {
  return sql<RefusedRow[]>`/* listRefusedByIds */
    select ${refusedColumns(sql)} from refused_report
    where team_id = ${teamId} and id = ${anyOf(sql, ids, 'uuid')}
    order by received_at desc, id desc`;
}

type Next = RefusedFilter & { after: RefusedCursor | null };

/** Reports that differ from a stored order are left to a person, unless they are asked for. */
const isNext = (sql: Sql, teamId: Uuid, { after, ...filter }: Next) => sql`
  ${isMeant(sql, teamId, filter)}
  ${filter.ids === undefined && filter.reason === undefined ? sql`and reason <> ${orderDiffers}` : sql``}
  ${after ? sql`and (received_at, id) > (${after.receivedAt}, ${after.id})` : sql``}`;

/**
 * Locks the next kept reports for a replay, the oldest first, so that erasing and discarding wait. Leaves out reports that
 * another replay has locked.
 */
export function lockRefused(tx: Sql, teamId: Uuid, { limit, ...next }: Next & { limit: number }) {
  return tx<RefusedRow[]>`/* lockRefused */
    select ${refusedColumns(tx)} from refused_report
    where ${isNext(tx, teamId, next)}
    order by received_at, id
    limit ${limit}
    for update skip locked`;
}

/** Counts the filter's kept reports after a cursor, or all of them. */
export async function countRefusedAfter(sql: Sql, teamId: Uuid, next: Next): Promise<number> {
  const [row] = await sql<[{ reports: number }]>`/* countRefusedAfter */
    select count(*)::int as reports from refused_report where ${isNext(sql, teamId, next)}`;
  return row.reports;
}
