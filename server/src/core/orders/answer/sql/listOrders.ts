import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import { type OrderFields, readFields } from '../../fields.js';
import { keysOfOrder } from '../../orderKeys.js';
import { refundedOf } from '../../store/sql/placedOrder.js';
import type { ReportedBy } from '../../storedOrder.js';

/** A stored order with its buyer, as lists and exports show it. */
export interface ListedOrderRow extends OrderFields {
  id: Uuid;
  orderNumber: string;
  reportId: string | null;
  /** Every `Idempotency-Key` and provider id of the order, and the ids of orders that were merged into it. */
  keys: string[];
  /** Number of the order that owns the same `orderId` but is another payment; null if no other order owns it. */
  sharesIdWith: string | null;
  personId: Uuid;
  email: string | null;
  /** Sum that was refunded, at most the amount, as exact text. */
  refunded: string;
  isTest: boolean;
  reportedBy: ReportedBy;
  createdAt: Date;
}

/** SQL expressions for values that a row `o` of `placed_order` does not hold, and the fields to read. */
interface ListedParts {
  /** The buyer's email; default: `person.email`. */
  email?: Fragment;
  refunded?: Fragment;
  keys?: Fragment;
  /** Fields to read; default: all. */
  fields?: Fragment;
}

/**
 * Most keys of an order in lists, files and webhooks. An order has few, but a backend could add any number, by payment ids or by
 * orders that are merged.
 */
const keysListed = 200;

/** Selects the columns of `ListedOrderRow` from a row `o` of `placed_order`. */
export const listedColumns = (
  sql: Sql,
  teamId: Uuid,
  {
    email = sql`person.email`,
    refunded = refundedOf(sql, teamId, sql`o`),
    keys = sql`coalesce((select json_agg(key order by key) from (${keysOfOrder(sql, teamId, sql`o.id`)} order by key limit ${keysListed}) known), '[]')`,
    fields = readFields(sql),
  }: ListedParts = {},
): Fragment => sql`
      o.id, o.order_number as "orderNumber", o.report_id as "reportId", ${keys} as keys,
      case when o.shares_id_with is not null then (
        select first.order_number from placed_order first where first.team_id = ${teamId} and first.id = o.shares_id_with
      ) end as "sharesIdWith",
      o.person_id as "personId", ${email} as email, ${fields}, ${refunded} as refunded,
      o.is_test as "isTest", o.reported_by as "reportedBy", o.created_at as "createdAt"`;

/** Filter of listed orders. Every set field narrows the list. */
export interface OrderFilter {
  /** Orders created at this time or later. */
  since?: Date | undefined;
  /** Orders created before this time. */
  until?: Date | undefined;
  isTest?: boolean | undefined;
  reportedBy?: ReportedBy | undefined;
  personId?: Uuid | undefined;
  id?: Uuid | undefined;
  limit?: number | undefined;
}

/** Lists a team's orders, the newest first. The caller may await the query or read it through a cursor. */
export function listOrders(sql: Sql, teamId: Uuid, filter: OrderFilter = {}) {
  const { since, until, isTest, reportedBy, personId, id, limit } = filter;
  return sql<ListedOrderRow[]>`/* listOrders */
    select ${listedColumns(sql, teamId)}
    from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
    where o.team_id = ${teamId}
      ${since ? sql`and o.created_at >= ${since}` : sql``}
      ${until ? sql`and o.created_at < ${until}` : sql``}
      ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
      ${reportedBy ? sql`and o.reported_by = ${reportedBy}` : sql``}
      ${personId === undefined ? sql`` : sql`and o.person_id = ${personId}`}
      ${id === undefined ? sql`` : sql`and o.id = ${id}`}
    order by o.id desc
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
}
