import { exampleRequestId } from '../../../values/examples.js';

const string = { type: 'string' };

/** Response headers of the operations. A header with `required` is on each answer that names it. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of this request: the one that was sent, if it could be used, or a new one.',
    required: true,
    schema: string,
    example: exampleRequestId,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110, section 11.6.1).',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  'Retry-After': {
    description: 'Seconds to wait before the same request may work (RFC 9110, section 10.2.3).',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  ETag: {
    description: 'Strong entity tag of the product; send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]*"$' },
    example: '"q3X1yT0r7mVb9cKdLw2ZsJ4uPfE"',
  },
  'Cache-Control': {
    description: 'The caller may keep a copy, and must revalidate it before each use.',
    required: true,
    schema: string,
    example: 'private, no-cache',
  },
  RateLimit: {
    description:
      'On 429, and on reports without a key once less than a fifth of the limit is left: `r` are left for this address, `t` seconds until all are (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: string,
    example: '"orders";r=1199;t=49',
  },
  'RateLimit-Policy': {
    description: 'Beside `RateLimit`: `q` in `w` seconds.',
    schema: string,
    example: '"orders";q=6000;w=60',
  },
} as const;

/** Names of the headers on the limit of requests. */
export const limitHeaders = ['RateLimit', 'RateLimit-Policy'];

/** Returns references to headers of the table, by their names. */
export function headerRefs(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
