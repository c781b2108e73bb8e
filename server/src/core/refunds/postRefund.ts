import type { Refund, RefundRequest } from '@orderbeacon/sdk/contract';
import type { Clock } from '../../database/clock.js';
import { type Handle, success } from '../../http/exchange.js';
import { readJson } from '../../http/readBody.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { isoTime } from '../../values/time.js';
import type { AskOrders } from '../orders/askOrders.js';
import { refundState } from '../orders/paymentStatus.js';
import type { IdentifySender } from '../teams/identifySender.js';
import type { RecordKeyUse } from '../teams/recordKeyUse.js';
import { requireMode } from '../teams/sql/apiKey.js';
import { refundSchema } from './refundSchema.js';
import type { StoredRefund, StoreRefund } from './storeRefund.js';

const types = ['application/json'];

/** Dependencies of the endpoint of refunds. */
export interface PostRefundDeps {
  clock: Clock;
  requireKey: IdentifySender['requireKey'];
  askOrders: AskOrders;
  storeRefund: StoreRefund;
  recordKeyUse: RecordKeyUse;
}

/**
 * `POST /svc-api/v1/orders/refunds`, behind a key: a page can never refund. The same `refundId` again answers with the
 * same refund.
 */
export function postRefund({
  clock,
  requireKey,
  askOrders,
  storeRefund,
  recordKeyUse,
}: PostRefundDeps): Handle {
  return async function postRefund(exchange) {
    const sender = await requireKey(exchange); // 401, 429
    const { isTest } = await askOrders(sender.teamId, (sql) => requireMode(sql, sender)); // 401, 503
    const body = await readJson(exchange.incoming, types); // 400, 413, 415
    const { teamId, orderId, refundId, amount, reason } = parseRefund(body.value); // 400
    if (teamId !== undefined && decodeId('team', teamId) !== sender.teamId)
      throw new ApiError('team_mismatch');
    const refund = await storeRefund(sender.teamId, {
      refundId,
      orderId,
      paymentId: null,
      amount: amount ?? null,
      reason: reason ?? null,
      isTest,
      createdAt: isoTime(clock.nowMs()),
      isExact: true,
    }); // 400, 404, 422, 503; after the commit
    recordKeyUse(sender.keyHash);
    return { status: 200, body: success(answerRefund({ ...refund, refundId }, orderId)) };
  };
}

function parseRefund(body: unknown): RefundRequest {
  const parsed = refundSchema.safeParse(body);
  if (!parsed.success) throw new ApiError('invalid_request', describeIssues(parsed.error));
  return parsed.data;
}

/**
 * Builds the answer to a refund.
 * @param orderId the order as the request named it
 */
function answerRefund(refund: StoredRefund, orderId: string): Refund {
  const { refundId, placedOrderId, amount, orderAmount, refunded, reason, isTest, isNew } = refund;
  return {
    refundId,
    orderId,
    order: placedOrderId && encodeId('ord', placedOrderId),
    amount: amount === null ? null : Number(amount),
    currency: refund.currency,
    ...(orderAmount === null || refunded === null
      ? { paymentStatus: null, refundedAmount: null }
      : refundState(orderAmount, refunded, refund.currency!)),
    reason,
    isTest,
    isNew,
    createdAt: refund.createdAt.toISOString(),
  };
}
