import { hasOrderId } from '../../../core/orders/store/sql/placedOrder.js';
import type { ReportedBy } from '../../../core/orders/storedOrder.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** The properties of a stored order that a comparison needs. */
export interface ComparedOrder {
  id: Uuid;
  orderNumber: string;
  orderId: string | null;
  /** An exact decimal. */
  amount: string;
  currency: string;
  createdAt: Date;
  reportedBy: ReportedBy;
}

/** A stored order that was found by its order id. */
export interface NumberedOrder extends ComparedOrder {
  /** Set if a payment id or an `Idempotency-Key` finds it, too. */
  hasKey: boolean;
}

const compared = (sql: Sql) => sql`
      o.id, o.order_number as "orderNumber", o.order_id as "orderId", o.amount, o.currency,
      o.created_at as "createdAt", o.reported_by as "reportedBy"`;

/** An id to find, and the index of its row. */
export interface WantedId {
  index: number;
  id: string;
}

/**
 * Finds orders of a mode by their order ids. Looks up each id separately, because PostgreSQL planned a join as a scan
 * of all orders while the table was new.
 */
export function findByOrderId(sql: Sql, teamId: Uuid, isTest: boolean, orderIds: readonly WantedId[]) {
  return sql<(NumberedOrder & { index: number })[]>`/* findByOrderId */
    with ${wantedIds(sql, orderIds)}
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)}, exists (
        select from order_key where order_key.team_id = ${teamId} and placed_order_id = o.id
      ) as "hasKey"
      from placed_order o
      where o.team_id = ${teamId} and ${hasOrderId(sql, sql`wanted.id`)} and o.is_test = ${isTest}
      limit 1
    ) found`;
}

/** Finds orders of a mode by a provider's id, or by the `Idempotency-Key` of a report. */
export function findByKey(sql: Sql, teamId: Uuid, isTest: boolean, keys: readonly WantedId[]) {
  return sql<(ComparedOrder & { index: number })[]>`/* findByKey */
    with ${wantedIds(sql, keys)}
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)} from order_key join placed_order o on o.team_id = ${teamId} and o.id = placed_order_id
      where order_key.team_id = ${teamId} and order_key.key = wanted.id and order_key.is_test = ${isTest}
      limit 1
    ) found`;
}

/** Writes the common table expression `wanted`, with the columns `index` and `id`. */
const wantedIds = (sql: Sql, ids: readonly WantedId[]) => sql`
    wanted as (
      select * from json_to_recordset(${JSON.stringify(ids)}::text::json) as r (index int, id text)
    )`;

/** An order of a file that may be stored under another id. */
interface Wanted {
  /** Index of the order in the list of the file's orders. */
  index: number;
  /** Date of the order in the file; null if the file states none, so that stored orders of any time match. */
  createdAt: Date | null;
}

/** Condition that a stored order is at about the time of a wanted one. It also holds if the wanted one has no date. */
const isNear = (sql: Sql, nearMs: number) => sql`(wanted."createdAt" is null
          or abs(extract(epoch from o.created_at - wanted."createdAt")) * 1000 < ${nearMs}::int)`;

/** Finds stored orders that have one of the given order ids of a wanted order, and are from about the same time as it. */
export function findByForms(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
  wanted: readonly (Wanted & { ids: readonly string[] })[],
  nearMs: number,
) {
  const rows = wanted.flatMap(({ index, ids, createdAt }) => ids.map((id) => ({ index, id, createdAt })));
  return sql<(ComparedOrder & { index: number })[]>`/* findByForms */
    with wanted as (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
        index int, id text, "createdAt" timestamptz
      )
    )
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)} from placed_order o
      where o.team_id = ${teamId} and o.order_id = wanted.id and o.is_test = ${isTest} and o.shares_id_with is null
        and ${isNear(sql, nearMs)}
      limit 1
    ) found`;
}

/**
 * Finds stored orders with the buyer and the amount of a wanted order, from about the same time as it. Returns at most 20 for each
 * wanted order.
 */
export function findLookalikes(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
  wanted: readonly (Wanted & { personId: Uuid; amount: string | null; currency: string | null })[],
  nearMs: number,
) {
  return sql<(ComparedOrder & { index: number })[]>`/* findLookalikes */
    with wanted as (
      select * from json_to_recordset(${JSON.stringify(wanted)}::text::json) as r (
        index int, "personId" uuid, amount numeric, currency text, "createdAt" timestamptz
      )
    )
    select wanted.index, found.* from wanted cross join lateral (
      select ${compared(sql)} from placed_order o
      where o.team_id = ${teamId} and o.person_id = wanted."personId" and o.is_test = ${isTest}
        and o.amount = wanted.amount and o.currency = wanted.currency and ${isNear(sql, nearMs)}
      limit 20
    ) found`;
}

/** The order after which the next page begins, in the order of time. */
export type OrderCursor = Pick<ComparedOrder, 'createdAt' | 'id'>;

/**
 * Orders of a mode from `since` until before `until`, after a cursor. If `amounts` is given, only those with one of
 * them.
 */
interface OrderRange {
  isTest: boolean;
  since: Date | null;
  until: Date | null;
  after: OrderCursor | null;
  limit: number;
  amounts?: readonly string[];
}

/** Lists one page of the orders of a range, sorted by time. */
export function pageByTime(
  sql: Sql,
  teamId: Uuid,
  { isTest, since, until, after, limit, amounts }: OrderRange,
) {
  return sql<ComparedOrder[]>`/* pageByTime */
    select ${compared(sql)} from placed_order o
    where o.team_id = ${teamId} and o.is_test = ${isTest}
      ${since ? sql`and o.created_at >= ${since}` : sql``}
      ${until ? sql`and o.created_at < ${until}` : sql``}
      ${after ? sql`and (o.created_at, o.id) > (${after.createdAt}, ${after.id})` : sql``}
      ${amounts ? sql`and o.amount = any(${`{${amounts.join(',')}}`}::text::numeric[])` : sql``}
    order by o.created_at, o.id
    limit ${limit}`;
}
