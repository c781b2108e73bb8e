import type { Handler } from 'hono';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';
import { createOpenApi } from '../openapi/document.js';

/**
 * `GET /openapi.json`: the API of this server, in OpenAPI 3.1. Made at the first request, because the server
 * knows its URL only once it listens. Readable from every origin, so that tools on other sites can load it.
 */
export function getOpenApi(version: string, publicUrl: () => string): Handler<AppEnv> {
  let text: string | undefined;
  return function getOpenApi(c) {
    text ??= JSON.stringify(createOpenApi({ version, publicUrl: publicUrl() }));
    Object.assign(c.get('headers'), { 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' });
    return reply(c, 200, text);
  };
}
