import { failures, schemaRef, success } from './answers.js';
import {
  type ExampleIds,
  exampleEnrollment,
  exampleEnrollmentRequest,
  exampleOrder,
  exampleProduct,
  exampleReports,
  exampleSlug,
} from './examples.js';
import { headerRefs } from './headers.js';

const requestId = { $ref: '#/components/parameters/X-Request-Id' };
const byKey = [{ bearer: [] }];

const limit = ['RateLimit', 'RateLimit-Policy'];

const getProduct = {
  operationId: 'getProduct',
  tags: ['Products'],
  summary: 'Get product',
  description:
    'Reads one product of the key’s team, with its option groups, every variant with its own purchase link, its category, its counts, and the fields of its kind.',
  security: byKey,
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The product’s id or its slug.',
      schema: { type: 'string' },
      example: exampleSlug,
    },
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of a copy that you hold; 304 says that it is still good.',
      schema: { type: 'string' },
    },
    requestId,
  ],
  responses: {
    200: success('Product', 'The product.', exampleProduct, ['ETag', 'Cache-Control']),
    304: {
      description: 'Your copy is still good. No body.',
      headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control'),
    },
    ...failures(
      ['missing_api_key', 'invalid_api_key', 'product_not_found', 'rate_limited', 'internal', 'unavailable'],
      { 429: limit },
    ),
  },
};

const enrollPerson = (ids: ExampleIds) => ({
  operationId: 'enrollPerson',
  tags: ['Sequences'],
  summary: 'Enroll in sequence',
  description:
    'Enrolls a person of the key’s team in an email sequence of that team. Enrolling the same person again answers with the same subscription, so it is safe to repeat.',
  security: byKey,
  parameters: [requestId],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('EnrollmentRequest'),
        examples: { known: { summary: 'A person of the team', value: exampleEnrollmentRequest(ids) } },
      },
    },
  },
  responses: {
    200: success('Enrollment', 'The person is enrolled.', exampleEnrollment(ids)),
    ...failures(
      [
        'invalid_json',
        'invalid_request',
        'missing_api_key',
        'invalid_api_key',
        'person_not_found',
        'sequence_not_found',
        'payload_too_large',
        'unsupported_media_type',
        'rate_limited',
        'internal',
        'unavailable',
      ],
      { 429: limit },
    ),
  },
});

const reportOrder = (ids: ExampleIds) => ({
  operationId: 'reportOrder',
  tags: ['Orders'],
  summary: 'Report an order',
  description: `Records an order and answers after it is stored. The buyer becomes a person of the team when new.

With an API key the key decides. Without one, as from a browser, the \`Origin\` header (or \`Referer\`, where there is no origin) has to name one of the team's tracking domains; browsers send it by themselves.

A report without a key is never refused for its items: invalid fields are changed or left out, and \`warnings\` of the answer list them. A report with a key gets 400.

A refused report that a person can mend is kept for 30 days, and can be corrected and stored: \`domain_not_allowed\`, \`invalid_request\`, \`order_conflict\` and \`payload_too_large\` without a key, \`invalid_request\` and \`payload_too_large\` with one.

The same \`orderId\`, \`reportId\` (of a report without a key) or \`Idempotency-Key\` (of one with a key) again answers with the stored order and \`isNew: false\`, so a report that carries one is safe to repeat. A later report fills in what an earlier one left empty, and one with a key is believed over one without. Reports by test keys and from test domains meet only each other's orders.`,
  // The key comes first because Postman uses the first entry.
  security: [{ bearer: [] }, {}],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'On reports with a key: the same key again is the same order, whatever became of the first answer. With another `orderId`, `email`, `amount` or `currency` it is refused (422). Use one for each order. A `reportId` in the body counts as one where the header is absent.',
      schema: schemaRef('IdempotencyKey'),
    },
    requestId,
  ],
  requestBody: {
    required: true,
    description: 'At most 64 KiB. Unknown fields are ignored.',
    content: {
      'application/json': { schema: schemaRef('OrderReport'), examples: exampleReports(ids) },
      'text/plain': {
        schema: {
          type: 'string',
          description: 'The same JSON. A browser sends this type across origins without a preflight.',
          contentMediaType: 'application/json',
          contentSchema: schemaRef('OrderReport'),
        },
        examples: Object.fromEntries(
          Object.entries(exampleReports(ids)).map(([name, { summary, value }]) => [
            name,
            { summary, value: JSON.stringify(value) },
          ]),
        ),
      },
    },
  },
  responses: {
    200: success('Order', 'The order is stored, by this report or by an earlier one.', exampleOrder, limit),
    ...failures(
      [
        'invalid_json',
        'invalid_request',
        'invalid_api_key',
        'origin_required',
        'domain_not_allowed',
        'team_mismatch',
        'order_conflict',
        'payload_too_large',
        'unsupported_media_type',
        'idempotency_key_reused',
        'rate_limited',
        'internal',
        'unavailable',
      ],
      { 429: limit },
    ),
  },
});

/**
 * The three operations of the contract, section 4.
 * @param ids what the examples speak of
 */
export function createPaths(ids: ExampleIds) {
  return {
    '/svc-api/v1/products/{id}': { get: getProduct },
    '/svc-api/v1/sequences/enroll': { post: enrollPerson(ids) },
    '/svc-api/v1/orders': { post: reportOrder(ids) },
  };
}
