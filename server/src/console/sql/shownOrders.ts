import type { Sql } from '../../database/connection/connect.js';
import { idempotencyKeyOf, reportIdOf } from '../../orders/sql/identity.js';
import type { ListedOrderRow } from '../../orders/sql/listOrders.js';
import type { Uuid } from '../../values/ids.js';

/** An order as lists of the console show it: without its items, which may be 60 kB, and extra fields of 8 KiB. */
export interface ShownOrderRow extends Omit<ListedOrderRow, 'items' | 'extra'> {
  /** The host of the page that reported it first; null when only keys have. */
  host: string | null;
  /** Time at which a later report last changed it; null if none has. */
  mergedAt: Date | null;
}

/** An order with all that is stored of it. */
export type WholeOrderRow = ShownOrderRow & Pick<ListedOrderRow, 'items' | 'extra'>;

/** Position in a list: after the order with this time and id. */
export interface OrderCursor {
  createdAt: Date;
  id: Uuid;
}

/** Selection of a team's orders; every field narrows it. */
export interface OrderSelection {
  isTest?: boolean | undefined;
  reportedBy?: ListedOrderRow['reportedBy'] | undefined;
  /** The search values; an order is found by any of them. */
  search?: { orderId: string; orderNumber: string; personId: Uuid | null; id: Uuid | null } | undefined;
}

/** The columns of a `ShownOrderRow`, of `placed_order o` joined with `person`. */
export function shownOrderColumns(sql: Sql) {
  return sql`o.id, o.order_number as "orderNumber", o.order_id as "orderId", ${reportIdOf(sql)} as "reportId",
    ${idempotencyKeyOf(sql)} as "idempotencyKey", o.person_id as "personId", person.email, o.name, o.amount::text,
    o.currency, o.source, o.visitor_id as "visitorId", o.first_touch as "firstTouch", o.last_touch as "lastTouch", o.is_test as "isTest",
    o.reported_by as "reportedBy", o.created_at as "createdAt", o.host, o.merged_at as "mergedAt"`;
}

/** Place of a page in a list. */
export interface OrderPage {
  before: OrderCursor | null;
  limit: number;
  lookAtMost: number;
}

/**
 * Reads one page of a team's orders, the newest first. Of the orders after the cursor it looks at a bounded
 * number, so that a page costs as much where hardly any order matches; `findLookedAt` says how far that went.
 * A search looks at all that it finds.
 */
export function pageOrders(sql: Sql, teamId: Uuid, selection: OrderSelection, page: OrderPage) {
  return sql<ShownOrderRow[]>`/* pageOrders */
    select ${shownOrderColumns(sql)} ${ofPage(sql, teamId, selection, page)}`;
}

/** Reads a page as `pageOrders` does, with items and extra fields. */
export function pageWholeOrders(sql: Sql, teamId: Uuid, selection: OrderSelection, page: OrderPage) {
  return sql<WholeOrderRow[]>`/* pageWholeOrders */
    select ${shownOrderColumns(sql)}, o.items, o.extra ${ofPage(sql, teamId, selection, page)}`;
}

/** The rows of a page, as `placed_order o` joined with `person`. */
function ofPage(
  sql: Sql,
  teamId: Uuid,
  { isTest, reportedBy, search }: OrderSelection,
  { before, limit, lookAtMost }: OrderPage,
) {
  return sql`
    from (
      select * from placed_order
      where team_id = ${teamId}
        ${before ? sql`and (created_at, id) < (${before.createdAt}, ${before.id})` : sql``}
        ${
          search
            ? sql`and (order_id = ${search.orderId} or order_number = ${search.orderNumber}
                or person_id = ${search.personId} or id = ${search.id})`
            : sql``
        }
      order by created_at desc, id desc
      limit ${lookAtMost}
    ) o join person on person.team_id = ${teamId} and person.id = o.person_id
    where true
      ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
      ${reportedBy ? sql`and o.reported_by = ${reportedBy}` : sql``}
    order by o.created_at desc, o.id desc
    limit ${limit}`;
}

/** The last order that `pageOrders` has looked at; undefined when there are fewer than it may look at. */
export async function findLookedAt(
  sql: Sql,
  teamId: Uuid,
  { before, lookAtMost }: { before: OrderCursor | null; lookAtMost: number },
): Promise<OrderCursor | undefined> {
  const rows = await sql<OrderCursor[]>`/* findLookedAt */
    select created_at as "createdAt", id from placed_order
    where team_id = ${teamId}
      ${before ? sql`and (created_at, id) < (${before.createdAt}, ${before.id})` : sql``}
    order by created_at desc, id desc
    limit 1 offset ${lookAtMost - 1}`;
  return rows[0];
}

/** Finds an order for its own page; undefined when the team has none of that id. */
export async function findShownOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<WholeOrderRow | undefined> {
  const rows = await sql<WholeOrderRow[]>`/* findShownOrder */
    select ${shownOrderColumns(sql)}, o.items, o.extra
    from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
    where o.team_id = ${teamId} and o.id = ${id}`;
  return rows[0];
}
