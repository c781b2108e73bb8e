import type { LineItem, Source, Touch } from '@orderbeacon/sdk/contract';
import type { Fragment, Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { ExtraFields, ReportedBy } from '../storedOrder.js';
import { refundedOf } from './refund.js';

/** A stored order with its buyer, as lists and exports show it. */
export interface ListedOrderRow {
  id: Uuid;
  orderNumber: string;
  orderId: string | null;
  reportId: string | null;
  idempotencyKey: string | null;
  personId: Uuid;
  email: string | null;
  name: string | null;
  /** `numeric` as exact text. */
  amount: string;
  currency: string;
  /** Money that was refunded, at most the amount, as exact text. */
  refunded: string;
  source: Source;
  items: LineItem[] | null;
  visitorId: string | null;
  firstTouch: Touch | null;
  lastTouch: Touch | null;
  extra: ExtraFields | null;
  isTest: boolean;
  reportedBy: ReportedBy;
  createdAt: Date;
}

/** Filter of listed orders; every field narrows the list. */
export interface OrderFilter {
  /** Orders made at this time or later. */
  since?: Date | undefined;
  /** Orders made before this time. */
  until?: Date | undefined;
  isTest?: boolean | undefined;
  reportedBy?: ReportedBy | undefined;
  personId?: Uuid | undefined;
  id?: Uuid | undefined;
  orderNumber?: string | undefined;
  limit?: number | undefined;
}

/**
 * The columns of `ListedOrderRow`, of a row `o` of `placed_order`.
 * @param others expressions for what stands elsewhere
 */
export const listedColumns = (sql: Sql, { email, refunded }: { email: Fragment; refunded: Fragment }) => sql`
      o.id, o.order_number as "orderNumber", o.order_id as "orderId",
      o.report_id as "reportId", o.idempotency_key as "idempotencyKey", o.person_id as "personId",
      ${email} as email, o.name, o.amount, o.currency, ${refunded} as refunded, o.source, o.items, o.visitor_id as "visitorId",
      o.first_touch as "firstTouch", o.last_touch as "lastTouch", o.extra, o.is_test as "isTest", o.reported_by as "reportedBy",
      o.created_at as "createdAt"`;

/**
 * Lists a team's orders, the newest first. The caller may await the query or read it through a cursor.
 */
export function listOrders(sql: Sql, teamId: Uuid, filter: OrderFilter = {}) {
  const { since, until, isTest, reportedBy, personId, id, orderNumber, limit } = filter;
  return sql<ListedOrderRow[]>`/* listOrders */
    select ${listedColumns(sql, { email: sql`person.email`, refunded: refundedOf(sql, teamId, sql`o`) })}
    from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
    where o.team_id = ${teamId}
      ${since ? sql`and o.created_at >= ${since}` : sql``}
      ${until ? sql`and o.created_at < ${until}` : sql``}
      ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
      ${reportedBy ? sql`and o.reported_by = ${reportedBy}` : sql``}
      ${personId === undefined ? sql`` : sql`and o.person_id = ${personId}`}
      ${id === undefined ? sql`` : sql`and o.id = ${id}`}
      ${orderNumber === undefined ? sql`` : sql`and o.order_number = ${orderNumber}`}
    order by o.id desc
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
}
