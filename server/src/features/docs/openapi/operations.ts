import type { Operation } from '../../../http/operation.js';
import type { Endpoint } from '../../../http/wayIn.js';
import type { ExampleIds } from '../../../values/examples.js';
import { failures, requestIdRef, schemaRef, success } from './answers.js';
import { headerRefs } from './headers.js';

/** An endpoint with a description for integrators. */
export type Described = Endpoint & { operation: Operation };

/** Selects a server's endpoints that have a description for integrators. */
export const describedOf = (endpoints: readonly Endpoint[]): Described[] =>
  endpoints.flatMap((endpoint) => (endpoint.operation ? (endpoint as Described) : []));

/**
 * Makes the `paths` of a server's endpoints.
 * @param ids ids in the examples
 */
export function createPaths(described: readonly Described[], ids: ExampleIds) {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {};
  for (const { method, path, operation } of described) {
    const pattern = path.replace(/:(\w+)$/, '{$1}');
    paths[pattern] = { ...paths[pattern], [method.toLowerCase()]: describe(operation, ids) };
  }
  return paths;
}

function describe({ tag, apiKey, schemas: _, ...operation }: Operation, ids: ExampleIds) {
  const { parameters = [], body, success: stored, unchanged, refusals, ...words } = operation;
  const content = body && { schema: schemaRef(body.schema), examples: body.examples(ids) };
  return {
    ...words,
    tags: [tag],
    // The API key comes first, because Postman uses the first entry.
    security: apiKey === 'required' ? [{ bearer: [] }] : [{ bearer: [] }, {}],
    parameters: [...parameters, requestIdRef],
    ...(body && {
      requestBody: {
        required: true,
        ...(body.description && { description: body.description }),
        content: Object.fromEntries(body.types.map((type) => [type, content])),
      },
    }),
    responses: {
      200: success(stored.schema, stored.description, stored.example(ids), stored.headers),
      ...(unchanged && {
        304: {
          description: 'Your copy is still good. No body.',
          headers: headerRefs('X-Request-Id', ...unchanged),
        },
      }),
      ...failures(refusals),
    },
  };
}
