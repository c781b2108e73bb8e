import { keyRefusals, type Operation } from '../http/operation.js';
import { examplePlacedOrder } from './examples.js';

/** Describes `GET /svc-api/v1/orders/:id`. */
export const getOrderOperation: Operation = {
  operationId: 'getOrder',
  tag: 'Orders',
  summary: 'Get order',
  description:
    'Reads one order of the key’s team with all that is stored of it, its refunds among them. A live key reads live orders, a test key test orders. It answers if an order has arrived, so a test of your own shop can ask it.',
  apiKey: 'required',
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'Your own `orderId`, percent-encoded, or the order’s `ord_…` or `ORD-…`.',
      schema: { type: 'string' },
      example: examplePlacedOrder.orderId!,
    },
  ],
  success: { schema: 'PlacedOrder', description: 'The order.', example: () => examplePlacedOrder },
  refusals: [...keyRefusals, 'order_not_found'],
};
