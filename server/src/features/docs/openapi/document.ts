import { answerSchemas } from '#answerSchemas';
import type { Served } from '../../../host/server.js';
import { command } from '../../../values/command.js';
import { type ExampleIds, exampleSequenceId, placeholderIds } from '../../../values/examples.js';
import { otherRefusal } from './answers.js';
import { headers } from './headers.js';
import { type JsonSchema, toJsonSchemas } from './jsonSchema.js';
import { createPaths, describedOf } from './operations.js';
import { createWebhooks, webhookParameters } from './webhooks.js';

const description = `Read a product with its variants, enroll a person in an email sequence, report an order from a browser or with an API key, read an order, and report a refund.

A success is always a 200 with \`{ "success": true, "data": … }\`. A refusal is \`{ "success": false, "error": { "code", "message", "hint"?, "docs"?, "issues"? }, "requestId" }\`: branch on \`code\`, show \`message\` to people. Answers may gain fields.`;

/**
 * Makes the OpenAPI 3.1 document of a server's endpoints and events. Requests are described by the schemas that check
 * them, answers by the types of the contract, and refusals by the error table.
 * @param options.demoTeamId the team in the examples, which then work unchanged; null for placeholders
 */
export function createOpenApi(
  { endpoints, events }: Pick<Served, 'endpoints' | 'events'>,
  options: { version: string; publicUrl: string; demoTeamId: string | null },
) {
  const { version, publicUrl, demoTeamId } = options;
  const described = describedOf(endpoints);
  const ids: ExampleIds =
    demoTeamId === null ? placeholderIds : { teamId: demoTeamId, sequenceId: exampleSequenceId };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orderbeacon',
      version,
      summary: 'Products, email sequences and orders of a team.',
      description,
      contact: { name: 'The operator of this server', url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Guides, limits, retries and error codes.', url: `${publicUrl}/docs` },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'Products', description: 'The catalogue of a team.' },
      { name: 'Sequences', description: 'Email sequences and the people in them.' },
      { name: 'Orders', description: 'Reports of sales and refunds, and the stored orders.' },
      { name: 'Webhooks', description: 'Requests that Orderbeacon sends to addresses of the team.' },
    ],
    paths: createPaths(described, ids),
    webhooks: createWebhooks(Object.assign({}, ...events.map((describe) => describe(ids)))),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ob_live_… or ob_test_…',
          description: `An API key of the team, from \`${command} key create --team TEAM\`. Keep it out of browsers. A wrong one is refused on every route.`,
        },
      },
      parameters: {
        'X-Request-Id': {
          name: 'X-Request-Id',
          in: 'header',
          description: 'Your own id for this request: 1 to 128 letters, digits and `. _ : = + -`.',
          schema: { type: 'string' },
        },
        ...webhookParameters,
      },
      headers,
      responses: { OtherRefusal: otherRefusal },
      schemas: {
        ...toJsonSchemas(Object.assign({}, ...described.map(({ operation }) => operation.schemas))),
        ...answerSchemas,
      } as Record<string, JsonSchema>,
    },
  };
}

/** The OpenAPI document. */
export type OpenApi = ReturnType<typeof createOpenApi>;
