import type { ErrorCode } from '@orderbeacon/sdk/contract';
import type { ZodType } from 'zod';
import type { ExampleIds } from '../values/examples.js';

/** A parameter of an operation, as OpenAPI 3.1 writes it. */
export interface Parameter {
  name: string;
  in: 'path' | 'header';
  required?: true;
  description: string;
  schema: object;
  example?: string;
}

/**
 * API description of an endpoint, for integrators. It is in the file of the endpoint's description; the API document consists of
 * the descriptions of all endpoints of a server.
 */
export interface Operation {
  operationId: string;
  tag: 'Products' | 'Sequences' | 'Orders';
  summary: string;
  /** Markdown. */
  description: string;
  /** `optional` if pages report without a key. */
  apiKey: 'required' | 'optional';
  parameters?: readonly Parameter[];
  /** The schemas that check requests, by their names in the API document. */
  schemas?: Readonly<Record<string, ZodType>>;
  body?: {
    /** The name of one of `schemas`. */
    schema: string;
    description?: string;
    types: readonly string[];
    examples: (ids: ExampleIds) => Record<string, { summary: string; value: object }>;
  };
  /** The answer 200. `schema` is the name of the contract's type of `data`. */
  success: {
    schema: string;
    description: string;
    example: (ids: ExampleIds) => object;
    headers?: readonly string[];
  };
  /** The headers of a 304; undefined if the endpoint never answers 304. */
  unchanged?: readonly string[];
  /** The codes of its refusals, except those that every operation has. */
  refusals: readonly ErrorCode[];
}

/** Refusals of each operation that needs a key. */
export const keyRefusals = ['missing_api_key', 'invalid_api_key'] as const satisfies ErrorCode[];

/** Refusals of each operation that reads a body. */
export const bodyRefusals = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies ErrorCode[];

/** API description of an event that integrators can receive. */
export interface EventDescription {
  /** The contract's type of `data`. */
  schema: string;
  summary: string;
  /** An example of `data`. */
  data: object;
}

/** Describes events by their names. */
export type DescribeEvents = (ids: ExampleIds) => Record<string, EventDescription>;
