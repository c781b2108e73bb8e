import type { LineItem, Source } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { idempotencyKeyOf, reportIdOf } from './identity.js';

/** Who has reported an order so far. */
export type ReportedBy = 'browser' | 'key' | 'both';

/** The fields that a report may leave empty and a later one fill. */
export const optionalFields = ['name', 'items', 'visitorId'] as const;

/** One of `optionalFields`. */
export type OptionalField = (typeof optionalFields)[number];

/** A stored order. */
export interface StoredOrder {
  id: Uuid;
  orderNumber: string;
  personId: Uuid;
  /** True once the buyer was erased: the order belongs to nobody. */
  isErased: boolean;
  orderId: string | null;
  /** A page's, of an order without an orderId. */
  reportId: string | null;
  idempotencyKey: string | null;
  /** `numeric` arrives as text, exact. */
  amount: string;
  currency: string;
  source: Source;
  name: string | null;
  items: LineItem[] | null;
  visitorId: string | null;
  /** Which of them only pages said of an order that a key has reported too. */
  pageFields: OptionalField[] | null;
  isTest: boolean;
  reportedBy: ReportedBy;
  createdAt: Date;
}

/** What a report may be known by. */
export interface Identifiers {
  orderId: string | null;
  /** A page's. */
  reportId: string | null;
  /** A backend's. */
  idempotencyKey: string | null;
}

/** Finds the orders of a mode that any of a report's identifiers names: two at most. */
export function findOrders(
  sql: Sql,
  teamId: Uuid,
  { orderId, reportId, idempotencyKey }: Identifiers,
  isTest: boolean,
) {
  return sql<StoredOrder[]>`/* findOrders */
    select id, order_number as "orderNumber", person_id as "personId",
      coalesce((
        select email is null from person where person.team_id = ${teamId} and person.id = person_id
      ), false) as "isErased",
      order_id as "orderId", ${reportIdOf(sql)} as "reportId", ${idempotencyKeyOf(sql)} as "idempotencyKey",
      amount, currency, source, name, items, visitor_id as "visitorId", page_fields as "pageFields",
      is_test as "isTest", reported_by as "reportedBy", created_at as "createdAt"
    from placed_order
    where team_id = ${teamId} and is_test = ${isTest}
      and (order_id = ${orderId} or report_id = ${reportId} or ${idempotencyKeyOf(sql)} = ${idempotencyKey})`;
}
