import type { ErrorCode, Failure } from '@orderbeacon/sdk/contract';
import { answerSchemas } from '#answerSchemas';
import { errorDocs, messageOf, statusOf, wordsOf } from '../../../values/errors.js';
import { exampleRequestId } from '../../../values/examples.js';
import { headerRefs, limitHeaders } from './headers.js';
import { type JsonSchema, schemaBase } from './jsonSchema.js';

/** Refers to the schema of that name in the document. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: schemaBase + name });

/** Reference to the parameter `X-Request-Id`. */
export const requestIdRef = { $ref: '#/components/parameters/X-Request-Id' };

/**
 * Describes the 200 of an operation.
 * @param name the schema of `data`
 * @param headers its headers besides `X-Request-Id`
 */
export function success(name: string, description: string, example: object, headers: readonly string[] = []) {
  const schema = {
    type: 'object',
    properties: { success: { type: 'boolean', const: true }, data: schemaRef(name) },
    required: ['success', 'data'],
  };
  return {
    description,
    headers: headerRefs('X-Request-Id', ...headers),
    content: { 'application/json': { schema, example: { success: true, data: example } } },
  };
}

/** OpenAPI response for refusals that belong to no operation: an unknown path, or a method that the path does not have. */
export const otherRefusal = {
  description: `Any other refusal: ${['not_found', 'method_not_allowed'].map((code) => `\`${code}\` (${statusOf[code as ErrorCode]})`).join(', ')}.`,
  headers: headerRefs('X-Request-Id'),
  content: { 'application/json': { schema: schemaRef('Failure') } },
};

/** Refusals that every operation may answer. */
const commonRefusals: ErrorCode[] = ['rate_limited', 'internal', 'unavailable'];

/**
 * Describes the refusals of an operation by status, with the error table's message for each code.
 * @param ofThis codes besides those of every operation
 */
export function failures(ofThis: readonly ErrorCode[]) {
  const codes = [...ofThis, ...commonRefusals];
  const statuses = [...new Set(codes.map((code) => statusOf[code]))].sort();
  const refusals = statuses.map((status) => [
    status,
    failure(
      codes.filter((code) => statusOf[code] === status),
      standingHeaders(status),
    ),
  ]);
  return { ...Object.fromEntries(refusals), default: { $ref: '#/components/responses/OtherRefusal' } };
}

function failure(codes: ErrorCode[], headers: string[]) {
  // A whole schema for each status: with an `allOf` of a common one, generators lose the codes.
  const schema = JSON.parse(JSON.stringify(answerSchemas.Failure));
  schema.properties.error.properties.code.enum = codes;
  return {
    description: codes.map((code) => `\`${code}\`: ${messageOf[code]}`).join('\n\n'),
    headers: headerRefs('X-Request-Id', ...headers),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleFailure(code) }])),
      },
    },
  };
}

function standingHeaders(status: number): string[] {
  if (status === 401) return ['WWW-Authenticate'];
  if (status === 429) return ['Retry-After', ...limitHeaders];
  return status === 503 ? ['Retry-After'] : [];
}

function exampleFailure(code: ErrorCode): Failure {
  const docs = errorDocs(code, 'https://orders.shop.example/docs');
  const error =
    code === 'invalid_request'
      ? {
          code,
          message: 'Invalid: email. email must be an email address such as ann@shop.example.',
          docs,
          issues: [{ path: 'email', message: 'must be an email address such as ann@shop.example' }],
        }
      : { code, ...wordsOf(code), docs };
  return { success: false, error, requestId: exampleRequestId };
}
