import type { Sql } from '../../database/connection/connect.js';
import { type FieldName, fieldNames } from '../../orders/fields.js';
import { type ListedOrderRow, listedColumns } from '../../orders/sql/listOrders.js';
import { refundedOf } from '../../orders/sql/refund.js';
import type { Uuid } from '../../values/ids.js';
import type { Span } from '../overview/buckets.js';

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
  /** True for orders with refunds. */
  isRefunded?: boolean | undefined;
  /** True for orders without an id of the shop. */
  isWithoutId?: boolean | undefined;
  /** The time in which they were made. */
  span?: Span | undefined;
  search?: OrderSearch | undefined;
}

/** The values of a search; an order is found by any of them. */
export interface OrderSearch {
  /** Any part of an order id, order number, email or name, in any case. */
  text: string;
  personId: Uuid | null;
  id: Uuid | null;
}

/** Long fields, which lists leave out. */
const longFields: readonly FieldName[] = ['items', 'extra'];
const shownFields = fieldNames.filter((name) => !longFields.includes(name));

/** The columns of a `ShownOrderRow`, of `placed_order o` joined with `person`. */
export function shownOrderColumns(sql: Sql, teamId: Uuid) {
  return sql`${listedColumns(sql, teamId, { fields: shownFields })}, o.host, o.merged_at as "mergedAt"`;
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
 */
export function pageOrders(sql: Sql, teamId: Uuid, selection: OrderSelection, page: OrderPage) {
  return sql<ShownOrderRow[]>`/* pageOrders */
    select ${shownOrderColumns(sql, teamId)} ${ofPage(sql, teamId, selection, page)}`;
}

/** Reads a page as `pageOrders` does, with items and extra fields. */
export function pageWholeOrders(sql: Sql, teamId: Uuid, selection: OrderSelection, page: OrderPage) {
  return sql<WholeOrderRow[]>`/* pageWholeOrders */
    select ${shownOrderColumns(sql, teamId)}, o.items, o.extra ${ofPage(sql, teamId, selection, page)}`;
}

/**
 * Finds the orders of a search that have the whole text, or the text behind a #, as their order id, order number or
 * email, the newest first. Indexes find them at any age, and so those that are older than the orders that `pageOrders`
 * looks at.
 */
export async function findWholeMatches(
  sql: Sql,
  teamId: Uuid,
  { search, ...selection }: OrderSelection,
  page: Omit<OrderPage, 'lookAtMost'>,
): Promise<ShownOrderRow[]> {
  if (!search) return [];
  const { text, personId, id } = search;
  const isWhole = sql`and (order_id in (${text}, ${`#${text}`}) or order_number = ${text.toUpperCase()} or person_id = ${personId} or id = ${id})`;
  return sql<ShownOrderRow[]>`/* findWholeMatches */
    select ${shownOrderColumns(sql, teamId)}
    ${ofPage(sql, teamId, selection, { ...page, lookAtMost: wholeMatchesAtMost }, isWhole)}`;
}

/** Number of whole matches that are looked at: orders of one person. */
const wholeMatchesAtMost = 1_000;

/**
 * The rows of a page, as `placed_order o` joined with `person`.
 * @param isLookedAt a condition of the orders that are looked at
 */
function ofPage(
  sql: Sql,
  teamId: Uuid,
  { span, ...selection }: OrderSelection,
  { before, limit, lookAtMost }: OrderPage,
  isLookedAt = sql``,
) {
  return sql`
    from (
      select * from placed_order
      where team_id = ${teamId}
        ${before ? sql`and (created_at, id) < (${before.createdAt}, ${before.id})` : sql``}
        ${isMadeIn(sql, span)}
        ${isLookedAt}
      order by created_at desc, id desc
      limit ${lookAtMost}
    ) o cross join lateral (
      -- The limit has each buyer looked up by id: a join may read every person of every team instead.
      select email from person where person.team_id = ${teamId} and person.id = o.person_id limit 1
    ) person
    where ${isSelected(sql, teamId, selection)}
    order by o.created_at desc, o.id desc
    limit ${limit}`;
}

function isSelected(
  sql: Sql,
  teamId: Uuid,
  { isTest, reportedBy, isRefunded, isWithoutId, search }: Omit<OrderSelection, 'span'>,
) {
  return sql`true
      ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
      ${reportedBy ? sql`and o.reported_by = ${reportedBy}` : sql``}
      ${isRefunded ? sql`and ${refundedOf(sql, teamId, sql`o`)} > 0` : sql``}
      ${isWithoutId ? sql`and o.order_id is null` : sql``}
      ${search ? sql`and ${isFound(sql, search)}` : sql``}`;
}

/** Number and money of the orders of a selection. */
export interface OrderSums {
  orders: number;
  /** True when there may be more, because not all orders were looked at. */
  isMore: boolean;
  /** Sums of up to three currencies as exact text, the most orders first. */
  sums: { currency: string; amount: string }[];
  /** Number of other currencies. */
  otherCurrencies: number;
}

const currenciesOfSums = 3;

/** Adds up the newest orders that a selection finds among a bounded number of orders. */
export async function sumOrders(
  sql: Sql,
  teamId: Uuid,
  { span, ...selection }: OrderSelection,
  lookAtMost: number,
): Promise<OrderSums> {
  const [row] = await sql<[OrderSums]>`/* sumOrders */
    with looked as materialized (
      select * from placed_order
      where team_id = ${teamId} ${isMadeIn(sql, span)}
      order by created_at desc, id desc
      limit ${lookAtMost}
    ), by_currency as (
      select currency, count(*) as orders, sum(amount) as amount, row_number() over (order by count(*) desc, currency) as rank
      from looked o ${selection.search ? sql`join person on person.team_id = ${teamId} and person.id = o.person_id` : sql``}
      where ${isSelected(sql, teamId, selection)}
      group by currency
    )
    select coalesce(sum(orders), 0)::float as orders,
      (select count(*) from looked) = ${lookAtMost} as "isMore",
      coalesce(
        json_agg(json_build_object('currency', currency, 'amount', amount::text) order by rank)
          filter (where rank <= ${currenciesOfSums}), '[]'
      ) as sums,
      (count(*) filter (where rank > ${currenciesOfSums}))::int as "otherCurrencies"
    from by_currency`;
  return row;
}

/** Orders that are looked at for ids. */
const idsLookAtMost = 1_000;

/** Counts the orders without an id of the shop among a team's newest 1,000 live ones, or tests. */
export async function countWithoutId(sql: Sql, teamId: Uuid, isTest: boolean): Promise<{ orders: number }> {
  const [row] = await sql<[{ orders: number }]>`/* countWithoutId */
    select count(*)::int as orders from (
      select order_id, is_test from placed_order
      where team_id = ${teamId} order by created_at desc, id desc limit ${idsLookAtMost}
    ) newest
    where order_id is null and is_test = ${isTest}`;
  return row;
}

/**
 * The condition that finds an order by a part of its texts. It reads every row that is looked at: an index of parts
 * would need `pg_trgm`, which a PostgreSQL may lack, and would cost every order.
 */
function isFound(sql: Sql, { text, personId, id }: OrderSearch) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // One text for all four takes half the time. No part of a search spans two, because a search has no line break.
  return sql`(concat_ws(E'\\n', o.order_id, o.order_number, person.email, o.name) ilike ${pattern}
    or o.person_id = ${personId} or o.id = ${id})`;
}

function isMadeIn(sql: Sql, span: Span | undefined) {
  return span ? sql`and created_at >= ${span.from} and created_at < ${span.to}` : sql``;
}

/** The last order that `pageOrders` has looked at; undefined when there are fewer than it may look at. */
export async function findLookedAt(
  sql: Sql,
  teamId: Uuid,
  { before, span, lookAtMost }: Pick<OrderPage, 'before' | 'lookAtMost'> & Pick<OrderSelection, 'span'>,
): Promise<OrderCursor | undefined> {
  const rows = await sql<OrderCursor[]>`/* findLookedAt */
    select created_at as "createdAt", id from placed_order
    where team_id = ${teamId}
      ${before ? sql`and (created_at, id) < (${before.createdAt}, ${before.id})` : sql``} ${isMadeIn(sql, span)}
    order by created_at desc, id desc
    limit 1 offset ${lookAtMost - 1}`;
  return rows[0];
}

/** Finds an order for its own page; undefined when the team has none of that id. */
export async function findShownOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<WholeOrderRow | undefined> {
  const rows = await sql<WholeOrderRow[]>`/* findShownOrder */
    select ${shownOrderColumns(sql, teamId)}, o.items, o.extra
    from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
    where o.team_id = ${teamId} and o.id = ${id}`;
  return rows[0];
}
