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
 * What integrators are told of an endpoint. It stands beside the handler that keeps it; the API's description is made of those
 * of all endpoints that a server has.
 */
export interface Operation {
  operationId: string;
  tag: 'Products' | 'Sequences' | 'Orders';
  summary: string;
  /** Markdown. */
  description: string;
  /** `optional` where pages report without one. */
  apiKey: 'required' | 'optional';
  parameters?: readonly Parameter[];
  /** The schemas that check requests, by the names that the description gives them. */
  schemas?: Readonly<Record<string, ZodType>>;
  body?: {
    /** One of `schemas`. */
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
  /** The headers of a 304; undefined where no copy is asked for. */
  unchanged?: readonly string[];
  /** The codes of its refusals, besides those that every operation has. */
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

/** What integrators are told of an event that they can be sent. */
export interface EventDescription {
  /** The contract's type of `data`. */
  schema: string;
  summary: string;
  /** An example of `data`. */
  data: object;
}

/** Describes events by their names. */
export type DescribeEvents = (ids: ExampleIds) => Record<string, EventDescription>;
