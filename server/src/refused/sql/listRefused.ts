import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusedFilter, RefusedPlace, RefusedReason, RefusedRow } from '../refusedReport.js';
import { isMeant, isOfBuyer, isWaiting, refusedColumns } from './conditions.js';

/**
 * Lists the kept reports that need attention, newest first.
 * @param options.before the last of the page before
 */
export function listRefused(
  sql: Sql,
  teamId: Uuid,
  { before, limit, ...filter }: RefusedFilter & { before?: RefusedPlace | undefined; limit: number },
) {
  return sql<RefusedRow[]>`/* listRefused */
    select ${refusedColumns(sql)} from refused_report
    where ${isMeant(sql, teamId, filter)} and ${isWaiting(sql, teamId)}
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
const groupsAtMost = 50;
const currenciesAtMost = 10;

/** Groups the kept reports that need attention by reason, host and field: the 50 groups with the latest refusals. */
export function groupRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter = {}) {
  return sql<RefusedGroupRow[]>`/* groupRefused */
    with part as (
      select reason, host, field, amount is not null and currency is not null as is_read,
        case when amount is not null then currency end as currency, count(*) as reports, sum(amount) as amount,
        min(received_at) as first_at, max(last_at) as last_at
      from refused_report
      where ${isMeant(sql, teamId, filter)} and ${isWaiting(sql, teamId)}
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
    )
    select reason, host, field, sum(reports)::int as reports,
      coalesce(sum(reports) filter (where not is_read), 0)::int as "withoutAmount",
      coalesce(
        json_agg(json_build_object('currency', currency, 'amount', amount::text) order by rank)
          filter (where is_read and rank <= ${currenciesAtMost}), '[]'
      ) as sums,
      (count(*) filter (where is_read and rank > ${currenciesAtMost}))::int as "otherCurrencies",
      min(first_at) as "firstAt", max(last_at) as "lastAt", groups::int
    from ranked
    group by reason, host, field, groups
    order by "lastAt" desc, reason, host, field`;
}

/** Reports of one currency that need attention. */
export interface WaitingSum {
  /** Null for reports without a readable amount or currency. */
  currency: string | null;
  /** Exact text. */
  amount: string;
  /** Number of reports of all currencies. */
  reports: number;
  /** True when older reports were not looked at. */
  isMore: boolean;
}

/** Kept reports that the sums of every page look at: the newest. */
const summedAtMost = 1_000;

/**
 * Adds up the newest 1,000 kept reports as far as they need attention: the two currencies with the most reports, because
 * every page names the first one, and a page can make up any number of them.
 */
export function sumWaiting(sql: Sql, teamId: Uuid) {
  return sql<WaitingSum[]>`/* sumWaiting */
    with newest as (
      select * from refused_report where ${isMeant(sql, teamId, {})}
      order by received_at desc, id desc
      limit ${summedAtMost + 1}
    )
    select case when amount is not null then currency end as currency, coalesce(sum(amount), 0)::text as amount,
      (sum(count(*)) over ())::int as reports, (select count(*) from newest) > ${summedAtMost} as "isMore"
    from newest refused_report
    where ${isWaiting(sql, teamId)}
    group by 1
    order by bool_and(amount is null or currency is null), count(*) desc, 1
    limit 2`;
}

/** Counts the kept reports that need attention. */
export async function countWaiting(sql: Sql, teamId: Uuid, filter: RefusedFilter = {}): Promise<number> {
  const [row] = await sql<[{ reports: number }]>`/* countWaiting */
    select count(*)::int as reports from refused_report
    where ${isMeant(sql, teamId, filter)} and ${isWaiting(sql, teamId)}`;
  return row.reports;
}

/**
 * Lists all kept reports of a buyer, the newest first, including those whose order was stored meanwhile.
 * @param mentions see `findMentions`
 */
export function listRefusedOfBuyer(sql: Sql, teamId: Uuid, email: string, mentions: readonly Uuid[]) {
  return sql<RefusedRow[]>`/* listRefusedOfBuyer */
    select ${refusedColumns(sql)} from refused_report
    where team_id = ${teamId} and ${isOfBuyer(sql, email, mentions)}
    order by received_at desc, id desc`;
}

/** Reports that are listed for one order. A page can be reloaded with the same mistake for weeks. */
const ofOrderAtMost = 10;

/**
 * Lists the kept reports that name an order's own id or the id of its report, the oldest first, at most 10. `isWaiting` is
 * false for those whose order was stored.
 */
export function listRefusedOfOrder(
  sql: Sql,
  teamId: Uuid,
  { orderId, reportId }: { orderId: string | null; reportId: string | null },
) {
  return sql<(RefusedRow & { isWaiting: boolean })[]>`/* listRefusedOfOrder */
    select ${refusedColumns(sql)}, ${isWaiting(sql, teamId)} as "isWaiting" from refused_report
    where ${isMeant(sql, teamId, {})} and (order_id = ${orderId} or report_id = ${reportId})
    order by received_at, id
    limit ${ofOrderAtMost}`;
}

/** Lists some of a team's kept reports without a valid email of the buyer, in the order of their ids. */
export function listWithoutEmail(
  sql: Sql,
  teamId: Uuid,
  { after, limit }: { after: Uuid | null; limit: number },
): PromiseLike<{ id: Uuid; body: string }[]> {
  return sql<{ id: Uuid; body: string }[]>`/* listWithoutEmail */
    select id, body from refused_report
    where team_id = ${teamId} and email is null ${after ? sql`and id > ${after}` : sql``}
    order by id
    limit ${limit}`;
}
