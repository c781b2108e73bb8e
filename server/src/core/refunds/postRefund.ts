import type { Refund, RefundRequest } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import type { Clock } from '../../database/clock.js';
import type { InTurn } from '../../database/turns.js';
import { type Handle, success } from '../../http/exchange.js';
import { readJson } from '../../http/readBody.js';
import { withoutFloatNoise } from '../../values/decimal.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { describeIssues, mustBeAmount, shorten } from '../../values/issues.js';
import { amountAtMost, limits } from '../../values/limits.js';
import { text } from '../../values/text.js';
import { isoTime } from '../../values/time.js';
import { refundState } from '../orders/payment.js';
import { trimmedId, trimmedIdForm } from '../orders/receive/reportSchema.js';
import type { RecordKeyUse } from '../teams/recordKeyUse.js';
import type { IdentifySender } from '../teams/senders.js';
import { requireMode } from '../teams/sql/apiKey.js';
import type { StoredRefund, StoreRefund } from './storeRefund.js';

/** Names the first unknown field, which is often a misspelt one. */
function describeShape({ code, keys }: { code: string; keys?: unknown }): string {
  if (code !== 'unrecognized_keys') return 'must be a JSON object';
  const [name] = keys as string[];
  return `must have no field "${shorten(name!)}", only orderId, refundId, amount, reason and teamId`;
}

/** The body of a refund. Unknown fields are refused, because a misspelt `amount` would refund the whole order. */
export const refundSchema = z.strictObject(
  {
    teamId: text(limits.id)
      .optional()
      .meta({ description: 'The key’s team, `team_…`. You may leave it out.' }),
    orderId: trimmedId({ isRequired: true }).meta({
      description:
        'Your own identifier of the order, its `ord_…` or its `ORD-…`. Spaces around it and invisible characters do not count.',
      ...trimmedIdForm,
    }),
    refundId: trimmedId({ isRequired: true }).meta({
      description:
        'Your own identifier of the refund: the same one again is the same refund. Spaces around it do not count.',
      ...trimmedIdForm,
    }),
    amount: z
      .number({ error: mustBeAmount() })
      .gt(0, { error: 'must be above 0' })
      .max(amountAtMost, { error: `must be at most ${amountAtMost}` })
      .transform(withoutFloatNoise)
      .optional()
      .meta({
        description:
          'Major units in the order’s currency. Default: all that is left of the order. More than that is refused.',
      }),
    reason: text(limits.text).optional().meta({ description: 'Why it was refunded, for people.' }),
  },
  { error: (issue) => describeShape(issue) },
) satisfies z.ZodType<RefundRequest>;

const types = ['application/json'];

export interface PostRefundDeps {
  clock: Clock;
  requireKey: IdentifySender['requireKey'];
  inTurn: InTurn;
  storeRefund: StoreRefund;
  recordKeyUse: RecordKeyUse;
}

/**
 * `POST /svc-api/v1/orders/refunds`, with an API key: a page can never refund. The same `refundId` again answers with the same
 * refund.
 */
export function postRefund({ clock, requireKey, inTurn, storeRefund, recordKeyUse }: PostRefundDeps): Handle {
  return async function postRefund(exchange) {
    const sender = await requireKey(exchange); // 401, 429
    const { isTest } = await inTurn(sender.teamId, (sql) => requireMode(sql, sender)); // 401, 503
    const body = await readJson(exchange.incoming, types); // 400, 413, 415
    const { teamId, orderId, refundId, amount, reason } = parseRefund(body.value); // 400
    if (teamId !== undefined && decodeId('team', teamId) !== sender.teamId)
      throw new ApiError('team_mismatch');
    const refund = await storeRefund(sender.teamId, {
      refundId,
      orderId,
      amount: amount ?? null,
      reason: reason ?? null,
      isTest,
      createdAt: isoTime(clock.nowMs()),
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
