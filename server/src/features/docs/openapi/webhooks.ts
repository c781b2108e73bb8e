import type { WebhookEvent } from '@orderbeacon/sdk/contract';
import { exampleEmail } from '../../../values/examples.js';
import { schemaRef } from './answers.js';
import { type ExampleIds, exampleEnrollment } from './examples.js';
import { examplePlacedOrder } from './orderExamples.js';

/** Headers of a request to a webhook. */
export const webhookParameters = {
  'webhook-id': {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The event, `msg_…`. The same for all attempts, so that a repeated one is found, and for all webhooks of a team that get the same new order.',
    schema: { type: 'string' },
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of the attempt, in seconds since 1970.',
    schema: { type: 'string' },
  },
  'webhook-signature': {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes of the secret (Standard Webhooks 1.0.0). More than one may follow, separated by spaces.',
    schema: { type: 'string' },
  },
};

const timestamp = '2026-05-01T18:00:00.000Z';
const teamName = 'Shop';

/** Lists the schema, the summary and an example of each type of event. */
const eventsOf = (
  ids: ExampleIds,
): Record<WebhookEvent['type'], [schema: string, summary: string, data: WebhookEvent['data']]> => ({
  'order.created': [
    'OrderEvent',
    'An order was stored',
    { ...examplePlacedOrder, paymentStatus: 'PAID', refundedAmount: 0, refunds: [] },
  ],
  'order.changed': ['OrderEvent', 'A later report has changed an order', examplePlacedOrder],
  'order.merged': [
    'MergedOrderEvent',
    'Two orders turned out to be one',
    { ...examplePlacedOrder, mergedId: 'ord_01kaefr2cd9q4t6m2w8z1v7k3h' },
  ],
  'order.refunded': ['OrderEvent', 'An order was refunded, all or in part', examplePlacedOrder],
  'enrollment.created': [
    'EnrollmentEvent',
    'A person was enrolled in a sequence',
    { ...exampleEnrollment(ids), email: exampleEmail },
  ],
  'orders.stopped': [
    'StoppedOrdersEvent',
    'Orders have stopped, or come again',
    {
      teamName,
      lastOrderAt: '2026-05-01T12:00:00.000Z',
      usualOrders: 42,
      endedAt: null,
      message:
        'No order since Friday 12:00 UTC; usually there are at least 42 by now. Check that customers can buy, and that the shop’s pages still report orders.',
    },
  ],
  'refused.began': [
    'BegunRefusalsEvent',
    'Reports of a host or field begin to be refused',
    {
      teamName,
      reason: 'domain_not_allowed',
      host: 'new.shop.example',
      field: null,
      reports: 1,
      message:
        'Reports begin to be refused: new.shop.example is not among your domains. 1 report so far. In the console, under Refused: If it is your shop, allow it: each order counts from the time when it came. If not, discard them.',
    },
  ],
  'hook.test': [
    'TestEvent',
    'An owner tries the webhook',
    { message: 'This is a test by Orderbeacon. Nothing has happened.' },
  ],
});

/** Makes the requests that Orderbeacon sends to the webhooks of a team. @param ids ids in the examples */
export const createWebhooks = (ids: ExampleIds) =>
  Object.fromEntries(
    Object.entries(eventsOf(ids)).map(([type, [schema, summary, data]]) => [
      type,
      {
        post: {
          operationId: type.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()),
          tags: ['Webhooks'],
          summary,
          description:
            'Sent at least once, in no promised order, and again until it is answered with a status of 2xx, for three days.',
          security: [],
          parameters: Object.keys(webhookParameters).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: schemaRef(schema), example: { type, timestamp, data } },
            },
          },
          responses: {
            '2XX': { description: 'Received.' },
            410: { description: 'Not wanted any more: the webhook is switched off.' },
            default: { description: 'Any other answer, and none within 15 s: it is sent again.' },
          },
        },
      },
    ]),
  );
