import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { amountOfRefund, shownTimeOfRefund } from './refund.js';

/** A refund with its order, as files show it. Amounts are exact texts. */
export interface ExportedRefundRow {
  refundId: string;
  amount: string;
  currency: string;
  /** Amount by which it reduces the order. */
  counted: string;
  orderCurrency: string;
  reason: string | null;
  createdAt: Date;
  /** The day of the refund in the team's time zone, such as `2026-11-30`. */
  day: string;
  placedOrderId: Uuid;
  orderId: string | null;
  orderNumber: string;
  isTest: boolean;
  /** Together with time, order and `refundId`, it identifies the row. */
  object: string;
  /** The stored time, by which files are sorted. */
  storedAt: Date;
}

/** A position in a file of refunds: right after this refund. */
export type RefundCursor = Pick<ExportedRefundRow, 'storedAt' | 'placedOrderId' | 'object' | 'refundId'>;

/** Filter of exported refunds by their own time. Every set field narrows the list. */
export interface RefundFilter {
  since?: Date | undefined;
  until?: Date | undefined;
  isTest?: boolean | undefined;
  before?: RefundCursor | undefined;
  limit?: number | undefined;
}

/**
 * Lists a team's refunds by their own time, the newest first, without those that were taken back. The caller may await the query or
 * read it through a cursor.
 */
export function exportRefunds(
  sql: Sql,
  teamId: Uuid,
  { since, until, isTest, before, limit }: RefundFilter = {},
) {
  return sql<ExportedRefundRow[]>`/* exportRefunds */
    select refund_id as "refundId", ${amountOfRefund(sql)} as amount, coalesce(said_currency, o.currency) as currency,
      coalesce(counts, 0) as counted, o.currency as "orderCurrency", reason, ${shownTimeOfRefund(sql)} as "createdAt",
      to_char(${shownTimeOfRefund(sql)} at time zone team.zone, 'YYYY-MM-DD') as day, placed_order_id as "placedOrderId",
      o.order_id as "orderId", o.order_number as "orderNumber", refund.is_test as "isTest", object, refund.created_at as "storedAt"
    from refund join placed_order o on o.team_id = ${teamId} and o.id = placed_order_id join team on team.id = ${teamId}
    where refund.team_id = ${teamId} and not is_taken_back
      ${since ? sql`and refund.created_at >= ${since}` : sql``}
      ${until ? sql`and refund.created_at < ${until}` : sql``}
      ${isTest === undefined ? sql`` : sql`and refund.is_test = ${isTest}`}
      ${
        before
          ? sql`and (refund.created_at, placed_order_id, object, refund_id)
              < (${before.storedAt}::timestamptz, ${before.placedOrderId}::uuid, ${before.object}, ${before.refundId})`
          : sql``
      }
    order by refund.created_at desc, placed_order_id desc, object desc, refund_id desc
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
}
