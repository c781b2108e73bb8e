import { exampleProduct, exampleSlug } from '../../../values/examples.js';
import { bodyRefusals, byKey, failures, keyRefusals, requestIdRef, schemaRef, success } from './answers.js';
import { type ExampleIds, exampleEnrollment, exampleEnrollmentRequest } from './examples.js';
import { headerRefs } from './headers.js';
import { examplePlacedOrder } from './orderExamples.js';
import { refundOrder } from './refundOrder.js';
import { reportOrder } from './reportOrder.js';

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
    requestIdRef,
  ],
  responses: {
    200: success('Product', 'The product.', exampleProduct, ['ETag', 'Cache-Control']),
    304: {
      description: 'Your copy is still good. No body.',
      headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control'),
    },
    ...failures([...keyRefusals, 'product_not_found']),
  },
};

const getOrder = {
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
      description: 'Your own `orderId`, percent-encoded, or the order’s `ord_…` or `ORD-…`.',
      schema: { type: 'string' },
      example: examplePlacedOrder.orderId,
    },
    requestIdRef,
  ],
  responses: {
    200: success('PlacedOrder', 'The order.', examplePlacedOrder),
    ...failures([...keyRefusals, 'order_not_found']),
  },
};

const enrollPerson = (ids: ExampleIds) => ({
  operationId: 'enrollPerson',
  tags: ['Sequences'],
  summary: 'Enroll in sequence',
  description:
    'Enrolls a person of the key’s team in an email sequence of that team. Enrolling the same person again answers with the same subscription, so it is safe to repeat.',
  security: byKey,
  parameters: [requestIdRef],
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
    ...failures([...keyRefusals, ...bodyRefusals, 'person_not_found', 'sequence_not_found']),
  },
});

/**
 * Makes the operations: those of the contract, section 4, reading an order, and a refund.
 * @param ids ids in the examples
 */
export function createPaths(ids: ExampleIds) {
  return {
    '/svc-api/v1/products/{id}': { get: getProduct },
    '/svc-api/v1/sequences/enroll': { post: enrollPerson(ids) },
    '/svc-api/v1/orders': { post: reportOrder(ids) },
    '/svc-api/v1/orders/{id}': { get: getOrder },
    '/svc-api/v1/orders/refunds': { post: refundOrder },
  };
}
