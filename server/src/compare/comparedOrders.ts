import type { Sql } from '../database/connection/connect.js';
import { hasOrderId } from '../orders/sql/hasOrderId.js';
import type { ReportedBy } from '../orders/storedOrder.js';
import type { Uuid } from '../values/ids.js';

/** A stored order as far as it is compared. */
export interface ComparedOrder {
  id: Uuid;
  orderNumber: string;
  orderId: string | null;
  /** Exact text. */
  amount: string;
  currency: string;
  createdAt: Date;
  reportedBy: ReportedBy;
}

const compared = (sql: Sql) => sql`
      o.id, o.order_number as "orderNumber", o.order_id as "orderId", o.amount, o.currency,
      o.created_at as "createdAt", o.reported_by as "reportedBy"`;

/** An id to look for, and the index of its row. */
export interface WantedId {
  index: number;
  id: string;
}

/**
 * Finds the orders of a world by their order ids. Looks each one up by itself: a join was planned as a scan of all orders
 * while the table was young.
 */
export function findByOrderId(sql: Sql, teamId: Uuid, isTest: boolean, orderIds: readonly WantedId[]) {
  return sql<(ComparedOrder & { index: number })[]>`/* findByOrderId */
    with ${wantedIds(sql, orderIds)}
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)} from placed_order o
      where o.team_id = ${teamId} and ${hasOrderId(sql, sql`wanted.id`)} and o.is_test = ${isTest}
      limit 1
    ) found`;
}

/** Finds the orders of a world by a key: a provider's own id, or the `Idempotency-Key` of a report. */
export function findByKey(sql: Sql, teamId: Uuid, isTest: boolean, keys: readonly WantedId[]) {
  return sql<(ComparedOrder & { index: number })[]>`/* findByKey */
    with ${wantedIds(sql, keys)}
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)} from order_key join placed_order o on o.team_id = ${teamId} and o.id = placed_order_id
      where order_key.team_id = ${teamId} and order_key.key = wanted.id and order_key.is_test = ${isTest}
      limit 1
    ) found`;
}

/** The common table expression `wanted`. */
const wantedIds = (sql: Sql, ids: readonly WantedId[]) => sql`
    wanted as (
      select * from json_to_recordset(${JSON.stringify(ids)}::text::json) as r (index int, id text)
    )`;

/** A buyer's order that may be one of the file under another id. */
export interface Lookalike {
  /** The index of the file's order in the list. */
  index: number;
  personId: Uuid;
  amount: string;
  currency: string;
  /** Null for any time. */
  createdAt: string | null;
}

/** Time between the shop's date of an order and the one that is stored. */
const lookalikeDays = 2;

/** Finds orders of the same buyer with the same amount at about the same time, some of each. */
export function findLookalikes(sql: Sql, teamId: Uuid, isTest: boolean, wanted: readonly Lookalike[]) {
  const rows = JSON.stringify(wanted);
  return sql<(ComparedOrder & { index: number })[]>`/* findLookalikes */
    with wanted as (
      select * from json_to_recordset(${rows}::text::json) as r (
        index int, "personId" uuid, amount numeric, currency text, "createdAt" timestamptz
      )
    )
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)} from placed_order o
      where o.team_id = ${teamId} and o.person_id = wanted."personId" and o.is_test = ${isTest}
        and o.amount = wanted.amount and o.currency = wanted.currency
        and (wanted."createdAt" is null
          or abs(extract(epoch from o.created_at - wanted."createdAt")) < ${lookalikeDays * 86_400}::int)
      limit 20
    ) found`;
}

/** An order after which the next page begins, in the order of time. */
export type OrderCursor = Pick<ComparedOrder, 'createdAt' | 'id'>;

/** Lists the orders of a world in the order of time, from `since` until before `until`, a page at a time. */
export function pageByTime(
  sql: Sql,
  teamId: Uuid,
  {
    isTest,
    since,
    until,
    after,
    limit,
  }: { isTest: boolean; since: Date | null; until: Date | null; after: OrderCursor | null; limit: number },
) {
  return sql<ComparedOrder[]>`/* pageByTime */
    select ${compared(sql)} from placed_order o
    where o.team_id = ${teamId} and o.is_test = ${isTest}
      ${since ? sql`and o.created_at >= ${since}` : sql``}
      ${until ? sql`and o.created_at < ${until}` : sql``}
      ${after ? sql`and (o.created_at, o.id) > (${after.createdAt}, ${after.id})` : sql``}
    order by o.created_at, o.id
    limit ${limit}`;
}
