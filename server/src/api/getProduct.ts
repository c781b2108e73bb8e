import { keyRefusals, type Operation } from '../http/operation.js';
import { exampleProduct, exampleSlug } from '../values/examples.js';

/** Describes `GET /svc-api/v1/products/:id`. */
export const getProductOperation: Operation = {
  operationId: 'getProduct',
  tag: 'Products',
  summary: 'Get product',
  description:
    'Reads one product of the key’s team, with its option groups, every variant with its own purchase link, its category, its counts, and the fields of its kind.',
  apiKey: 'required',
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
  ],
  success: {
    schema: 'Product',
    description: 'The product.',
    example: () => exampleProduct,
    headers: ['ETag', 'Cache-Control'],
  },
  unchanged: ['ETag', 'Cache-Control'],
  refusals: [...keyRefusals, 'product_not_found'],
};
