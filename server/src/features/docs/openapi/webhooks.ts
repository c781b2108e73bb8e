import type { EventDescription } from '../../../http/operation.js';
import { schemaRef } from './answers.js';

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

/** Describes the requests that Orderbeacon sends to a team's webhooks, by event, in alphabetical order. */
export const createWebhooks = (events: Readonly<Record<string, EventDescription>>) =>
  Object.fromEntries(
    Object.entries(events)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([type, { schema, summary, data }]) => [
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
