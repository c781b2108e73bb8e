import { type ListedOrderRow, listedColumns } from '../../core/orders/answer/sql/listOrders.js';
import { type FieldName, fieldNames, fieldReader } from '../../core/orders/fields.js';
import { hasOrderId } from '../../core/orders/store/sql/placedOrder.js';
import type { Sql } from '../../database/connection/connect.js';
import { anyOf } from '../../database/parameters.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import { isMadeIn, isSelected, type OrderSelection, ofOtherName } from './orderSelection.js';

/** An order as lists of the console show it, without its items (up to 60 kB) and its extra fields (8 KiB). */
export interface ShownOrderRow extends Omit<ListedOrderRow, 'items' | 'extra'> {
  /** Host of the page that reported it first; null if only API keys have. */
  host: string | null;
  /** Time at which a later report last changed it; null if none did. */
  mergedAt: Date | null;
  /** The strongest speaker other than a page; null if only pages have reported the order. */
  statedBy: 'shop' | 'backend' | 'file' | 'signed' | null;
}

/** An order with all its fields. */
export type WholeOrderRow = ShownOrderRow & Pick<ListedOrderRow, 'items' | 'extra'>;

/** Position in a list: after the order with this time and id. */
export interface OrderCursor {
  createdAt: Date;
  id: Uuid;
}

/** Long fields, which lists leave out. */
const longFields: readonly FieldName[] = ['items', 'extra'];
const readShown = fieldReader(fieldNames.filter((name) => !longFields.includes(name)));

/** Columns of a `ShownOrderRow`, of `placed_order o` joined with `person`. */
function shownOrderColumns(sql: Sql, teamId: Uuid) {
  return sql`${listedColumns(sql, teamId, { fields: readShown(sql) })}, o.host, o.merged_at as "mergedAt",
    ${strongestSpeaker(sql, teamId)} as "statedBy"`;
}

/** Expression for `statedBy`: from the statements of an order or, if it has none, from its row. */
const strongestSpeaker = (sql: Sql, teamId: Uuid) => sql`case when o.reported_by <> 'browser' then coalesce(
      (
        select said->>'speaker' from statement
        where statement.team_id = ${teamId} and placed_order_id = o.id
          and said->>'kind' <> 'refund' and said->>'speaker' <> 'page'
        order by array_position('{shop,backend,file,signed}', said->>'speaker') limit 1
      ),
      case when o.said->>'press' is not null then 'file' when o.said->>'isSigned' is not null then 'signed' else 'backend' end
    ) end`;

/** Position and size of a page of a list. */
interface OrderPage {
  before: OrderCursor | null;
  limit: number;
  lookAtMost: number;
}

/**
 * Reads one page of a team's orders, the newest first. It searches at most `lookAtMost` orders after the cursor, so that a
 * page has a limited cost even if hardly any order matches. `findLookedAt` returns how far that went.
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
 * Finds orders by the whole text of a search, the newest first. The text is an order id, with or without a #, an order number,
 * another id or an email. Indexes find them at any age, so it finds orders that are too old for `pageOrders`.
 */
export async function findWholeMatches(
  sql: Sql,
  teamId: Uuid,
  { search, ...selection }: OrderSelection,
  page: Omit<OrderPage, 'lookAtMost'>,
): Promise<ShownOrderRow[]> {
  if (!search) return [];
  const { text, personId, id } = search;
  const ofTeam = sql`select id from placed_order o where team_id = ${teamId} and`;
  // Each look-up has an index: with `or`, PostgreSQL would read all orders by time. The index of order ids lacks shared ids.
  const isWhole = sql`and id = any (array(
    ${ofTeam} ${hasOrderId(sql, anyOf(sql, [text, `#${text}`]))}
    union all ${ofTeam} order_number = ${text.toUpperCase()}
    union all (${ofTeam} person_id = ${personId} order by created_at desc limit ${wholeMatchesAtMost})
    union all ${ofTeam} id = ${id}
    union all ${ofOtherName(sql, teamId, text)}))`;
  return sql<ShownOrderRow[]>`/* findWholeMatches */
    select ${shownOrderColumns(sql, teamId)}
    ${ofPage(sql, teamId, selection, { ...page, lookAtMost: wholeMatchesAtMost }, isWhole)}`;
}

/** Number of one person's orders that are read to find whole matches. */
const wholeMatchesAtMost = 1_000;

/**
 * The `from`, `where` and `limit` of a page, of `placed_order o` joined with `person`.
 * @param isLookedAt condition on the orders among which the page searches
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

/** Finds the last order that `pageOrders` has searched; undefined if it has searched all. */
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

/**
 * Finds an order for its page, also by the id of an order that was merged into it; undefined if the team has none.
 */
export async function findShownOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<WholeOrderRow | undefined> {
  const rows = await sql<WholeOrderRow[]>`/* findShownOrder */
    select ${shownOrderColumns(sql, teamId)}, o.items, o.extra
    from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
    where o.team_id = ${teamId} and o.id = coalesce(
      (
        select placed_order_id from order_key
        where team_id = ${teamId} and kind = 'alias' and key = ${encodeId('ord', id)} limit 1
      ), ${id}
    )`;
  return rows[0];
}
