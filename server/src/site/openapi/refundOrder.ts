import { failures, requestIdRef, schemaRef, success } from './answers.js';
import { limitHeaders } from './headers.js';
import { examplePlacedOrder, exampleRefund, exampleRefundRequest } from './orderExamples.js';

const byKey = [{ bearer: [] }];

/** The operation that reads an order. */
export const getOrder = {
  operationId: 'getOrder',
  tags: ['Orders'],
  summary: 'Get order',
  description:
    'Reads one order of the key’s team with all that is stored of it, its refunds among them. A live key reads live orders, a test key test orders. It answers if an order has arrived, so a test of your own shop can ask it.',
  security: byKey,
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'Your own `orderId`, percent-encoded, or the order’s `ord_…`.',
      schema: { type: 'string' },
      example: examplePlacedOrder.orderId,
    },
    requestIdRef,
  ],
  responses: {
    200: success('PlacedOrder', 'The order.', examplePlacedOrder),
    ...failures(
      ['missing_api_key', 'invalid_api_key', 'order_not_found', 'rate_limited', 'internal', 'unavailable'],
      { 429: limitHeaders },
    ),
  },
};

/** The operation of a refund. */
export const refundOrder = {
  operationId: 'refundOrder',
  tags: ['Orders'],
  summary: 'Report a refund',
  description: `Records that money of an order was given back. It moves no money.

The same \`refundId\` again answers with the stored refund and \`isNew: false\`, so a refund is safe to repeat. With another order or amount it is refused (422). The refunds of an order never exceed its amount: more is refused (400), and so is a refund when nothing is left.

A refund of an order that is not known yet waits for it, and \`order\` is null. It shows as soon as the order is reported, and counts no further than the amount of that. An \`ord_…\` that no order has is refused (404).`,
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
    ...failures(
      [
        'invalid_json',
        'invalid_request',
        'missing_api_key',
        'invalid_api_key',
        'team_mismatch',
        'order_not_found',
        'payload_too_large',
        'unsupported_media_type',
        'refund_id_reused',
        'rate_limited',
        'internal',
        'unavailable',
      ],
      { 429: limitHeaders },
    ),
  },
};
