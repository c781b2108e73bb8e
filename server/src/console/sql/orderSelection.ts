import { isOtherName } from '../../core/orders/store/sql/namedOrder.js';
import { refundedOf } from '../../core/orders/store/sql/placedOrder.js';
import type { ReportedBy } from '../../core/orders/storedOrder.js';
import type { Sql } from '../../database/connection/connect.js';
import { anyOf } from '../../database/parameters.js';
import type { Uuid } from '../../values/ids.js';
import type { Span } from '../parts/range.js';
import { isFrom, type Origin } from './origin.js';

/** Selection of a team's orders. Each field narrows it. */
export interface OrderSelection {
  isTest?: boolean | undefined;
  reportedBy?: ReportedBy | undefined;
  /** Only orders that have refunds. */
  isRefunded?: boolean | undefined;
  /** Only orders that have no shop order id. */
  isWithoutId?: boolean | undefined;
  /** Only orders whose reports name no currency. */
  isWithoutCurrency?: boolean | undefined;
  /** Only orders of this origin. */
  origin?: Origin | undefined;
  /** Only orders that were made in this time. */
  span?: Span | undefined;
  search?: OrderSearch | undefined;
}

/** The values of a search. It finds the orders with any of them. */
interface OrderSearch {
  /** Any part of an order id, order number, email or name, in any case, or another whole id of the order. */
  text: string;
  personId: Uuid | null;
  id: Uuid | null;
}

/** Condition that selects a row `o` of `placed_order`. If the selection has a search, it also needs a row of `person`. */
export function isSelected(
  sql: Sql,
  teamId: Uuid,
  {
    isTest,
    reportedBy,
    isRefunded,
    isWithoutId,
    isWithoutCurrency,
    origin,
    search,
  }: Omit<OrderSelection, 'span'>,
) {
  return sql`true
      ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
      ${reportedBy ? sql`and o.reported_by = ${reportedBy}` : sql``}
      ${isRefunded ? sql`and ${refundedOf(sql, teamId, sql`o`)} > 0` : sql``}
      ${isWithoutId ? sql`and o.order_id is null` : sql``}
      ${isWithoutCurrency ? sql`and ${hasNoCurrency(sql)}` : sql``}
      ${origin ? sql`and ${isFrom(sql, origin)}` : sql``}
      ${search ? sql`and ${isFound(sql, teamId, search)}` : sql``}`;
}

/** Condition that no report named the currency of a row `o` of `placed_order`, so that it counts as USD. */
export const hasNoCurrency = (sql: Sql) => sql`coalesce((o.said->'unsaid')::text like '%"currency"%', false)`;

/**
 * Condition that finds an order by a part of its texts. PostgreSQL reads each order among which it searches. An index of
 * parts would need `pg_trgm`, which a PostgreSQL may lack, and would cost every order.
 */
function isFound(sql: Sql, teamId: Uuid, { text, personId, id }: OrderSearch) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // One text for all four halves the time. No search can match across two of them, because it has no line break.
  return sql`(concat_ws(E'\\n', o.order_id, o.order_number, person.email, o.name) collate "default" ilike ${pattern}
    or o.person_id = ${personId} or o.id = ${id} or o.id = any (array(${ofOtherName(sql, teamId, text)})))`;
}

/** Selects the orders that a whole text once named, such as a former number, an id of the payment, or one of a merged order. */
export const ofOtherName = (sql: Sql, teamId: Uuid, text: string) => sql`
    select placed_order_id from order_key
    where team_id = ${teamId} and key = ${anyOf(sql, [text, `#${text}`, text.toUpperCase()])} and ${isOtherName(sql)}`;

/** Condition that an order was made in a span of time. */
export function isMadeIn(sql: Sql, span: Span | undefined) {
  return span ? sql`and created_at >= ${span.from} and created_at < ${span.to}` : sql``;
}
