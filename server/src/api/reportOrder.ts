import { idempotencyKeySchema, lineItemSchema, orderSchema } from '../core/orders/receive/reportSchema.js';
import { bodyRefusals, type Operation } from '../http/operation.js';
import { exampleOrder, exampleReports } from './examples.js';

/** Describes `POST /svc-api/v1/orders` (contract, section 4.3). */
export const reportOrderOperation: Operation = {
  operationId: 'reportOrder',
  tag: 'Orders',
  summary: 'Report an order',
  description: `Records an order and answers after it is stored. The buyer becomes a person of the team when new.

With an API key the key decides. Without one, as from a browser, the \`Origin\` header (or \`Referer\`, where there is no origin) has to name one of the team's tracking domains. Browsers send it without being asked.

A report without a key is never refused for its items, \`name\`, \`visitorId\`, \`landings\` or extra fields: invalid ones are changed or left out, and \`warnings\` of the answer list them. A report with a key gets 400. Any report that names no \`currency\` gets a warning of the one that was taken. A right \`signature\` makes it as good as a report with a key for buyer and money.

A refused report that a person can fix is kept for 30 days, and can be corrected and stored: \`domain_not_allowed\`, \`invalid_request\`, \`order_conflict\`, \`invalid_signature\` and \`signature_required\` without a key, \`invalid_request\` and \`order_conflict\` with one.

The same \`orderId\`, \`reportId\` (of a report without a key) or \`Idempotency-Key\` (of one with a key) again answers with the stored order and \`isNew: false\`, so a report that carries one is safe to repeat; one with a key that carries none is stored with a warning. A later report fills in what an earlier one left empty, and a report with a key takes precedence over one without. Reports by test keys and from test domains match only each other's orders.`,
  apiKey: 'optional',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'On reports with a key: the same key again means the same order, even if the first answer was lost. With another `orderId`, `email`, `amount` or `currency` it is refused (422). Use one for each order. A `reportId` in the body counts as one where the header is absent.',
      schema: { $ref: '#/components/schemas/IdempotencyKey' },
    },
  ],
  schemas: { OrderReport: orderSchema, LineItem: lineItemSchema, IdempotencyKey: idempotencyKeySchema },
  body: {
    schema: 'OrderReport',
    description:
      'At most 64 KiB of JSON, also as `text/plain`, which a browser sends across origins without a preflight. Fields beyond the schema are kept as sent, up to 8 KiB of JSON together.',
    // A second schema for text would make generators type the whole body as a text.
    types: ['application/json', 'text/plain'],
    examples: exampleReports,
  },
  success: {
    schema: 'Order',
    description: 'The order is stored, by this report or by an earlier one.',
    example: () => exampleOrder,
    headers: ['RateLimit', 'RateLimit-Policy'],
  },
  refusals: [
    ...bodyRefusals,
    'invalid_api_key',
    'origin_required',
    'domain_not_allowed',
    'team_mismatch',
    'invalid_signature',
    'signature_required',
    'order_conflict',
    'idempotency_key_reused',
  ],
};
