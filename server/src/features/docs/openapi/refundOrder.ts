import { bodyRefusals, byKey, failures, keyRefusals, requestIdRef, schemaRef, success } from './answers.js';
import { exampleRefund, exampleRefundRequest } from './orderExamples.js';

/** The operation of a refund. */
export const refundOrder = {
  operationId: 'refundOrder',
  tags: ['Orders'],
  summary: 'Report a refund',
  description: `Records that money of an order was given back. It moves no money.

The same \`refundId\` again answers with the stored refund and \`isNew: false\`, so a refund is safe to repeat. With another order or amount it is refused (422). The refunds of an order never exceed its amount: more is refused (400), and so is a refund when nothing is left.

A refund of an order that is not known yet waits for it, and \`order\` is null. It shows as soon as the order is reported, and counts no further than the amount of that. An \`ord_…\` or \`ORD-…\` that no order has is refused (404).`,
  security: byKey,
  parameters: [requestIdRef],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('RefundRequest'),
        examples: {
          part: { summary: 'A part of the order', value: exampleRefundRequest },
          whole: {
            summary: 'All that is left of the order',
            value: { orderId: exampleRefundRequest.orderId, refundId: 're_1002' },
          },
        },
      },
    },
  },
  responses: {
    200: success('Refund', 'The refund is stored, by this request or by an earlier one.', exampleRefund),
    ...failures([...keyRefusals, ...bodyRefusals, 'team_mismatch', 'order_not_found', 'refund_id_reused']),
  },
};
