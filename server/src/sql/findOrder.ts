import type { LineItem, Source } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Who has reported an order so far. */
export type ReportedBy = 'browser' | 'key' | 'both';

/** A stored order. */
export interface StoredOrder {
  id: Uuid;
  orderNumber: string;
  personId: Uuid;
  orderId: string | null;
  reportId: string | null;
  /** `numeric` arrives as text, exact. */
  amount: string;
  currency: string;
  source: Source;
  name: string | null;
  items: LineItem[] | null;
  visitorId: string | null;
  isTest: boolean;
  reportedBy: ReportedBy;
  createdAt: Date;
}

/**
 * Finds the order that an orderId names, else the one that a reportId names.
 * @param options.lock waits for whoever changes the order now and keeps others away until the transaction ends
 */
export async function findOrder(
  sql: Sql,
  teamId: Uuid,
  { orderId, reportId }: { orderId: string | null; reportId: string | null },
  { lock = false } = {},
): Promise<StoredOrder | undefined> {
  const rows = await sql<StoredOrder[]>`/* findOrder */
    select id, order_number as "orderNumber", person_id as "personId", order_id as "orderId",
      report_id as "reportId", amount, currency, source, name, items, visitor_id as "visitorId",
      is_test as "isTest", reported_by as "reportedBy", created_at as "createdAt"
    from placed_order
    where team_id = ${teamId} and (order_id = ${orderId} or report_id = ${reportId})
    order by order_id = ${orderId} desc nulls last
    ${lock ? sql`for update` : sql``}`;
  return rows[0];
}
