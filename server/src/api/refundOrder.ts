import { refundSchema } from '../core/refunds/postRefund.js';
import { bodyRefusals, keyRefusals, type Operation } from '../http/operation.js';
import { exampleRefund, exampleRefundRequest } from './examples.js';

/** Describes `POST /svc-api/v1/orders/refunds`. */
export const refundOrderOperation: Operation = {
  operationId: 'refundOrder',
  tag: 'Orders',
  summary: 'Report a refund',
  description: `Records that money of an order was given back. It moves no money.

The same \`refundId\` again answers with the stored refund and \`isNew: false\`, so a refund is safe to repeat. With another order or amount it is refused (422). The refunds of an order never exceed its amount: more is refused (400), and so is a refund when nothing is left.

A refund of an order that is not known yet waits for it, and \`order\` is null. It shows as soon as the order is reported, and counts no further than the amount of that. An \`ord_…\` or \`ORD-…\` that no order has is refused (404).`,
  apiKey: 'required',
  schemas: { RefundRequest: refundSchema },
  body: {
    schema: 'RefundRequest',
    types: ['application/json'],
    examples: () => ({
      part: { summary: 'A part of the order', value: exampleRefundRequest },
      whole: {
        summary: 'All that is left of the order',
        value: { orderId: exampleRefundRequest.orderId, refundId: 're_1002' },
      },
    }),
  },
  success: {
    schema: 'Refund',
    description: 'The refund is stored, by this request or by an earlier one.',
    example: () => exampleRefund,
  },
  refusals: [...keyRefusals, ...bodyRefusals, 'team_mismatch', 'order_not_found', 'refund_id_reused'],
};
