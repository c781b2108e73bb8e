import { hasOrderId } from '../../../core/orders/store/sql/placedOrder.js';
import type { ReportedBy } from '../../../core/orders/storedOrder.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

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

/** A stored order that was found by its order id. */
export interface NumberedOrder extends ComparedOrder {
  /** Set if a payment or an `Idempotency-Key` finds it, too. */
  hasKey: boolean;
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

/** An order of a file that may be stored under another id. */
interface Wanted {
  /** The index of the file's order in the list. */
  index: number;
  /** Null for any time. */
  createdAt: Date | null;
}

/** True for a stored order at about the time of a wanted one, or where nobody knows that. */
const isNear = (sql: Sql, nearMs: number) => sql`(wanted."createdAt" is null
          or abs(extract(epoch from o.created_at - wanted."createdAt")) * 1000 < ${nearMs}::int)`;

/** Finds orders at about the same time whose id is one of several. */
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

/** Finds orders of the same buyer with the same amount at about the same time, some of each. */
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

/** An order after which the next page begins, in the order of time. */
export type OrderCursor = Pick<ComparedOrder, 'createdAt' | 'id'>;

/** Orders of a world from `since` until before `until`, behind a cursor, of some amounts alone where these are given. */
interface OrderRange {
  isTest: boolean;
  since: Date | null;
  until: Date | null;
  after: OrderCursor | null;
  limit: number;
  amounts?: readonly string[];
}

/** Lists the orders of a range in the order of time, a page at a time. */
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
