import type { Handler } from 'hono';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';
import { createOpenApi } from '../openapi/document.js';

/**
 * `GET /openapi.json`: what this server offers, in OpenAPI 3.1. Made once, at the first request: only a
 * server that listens knows its URL. Any page may read it, so that tools elsewhere can load it.
 */
export function getOpenApi(version: string, publicUrl: () => string): Handler<AppEnv> {
  let text: string | undefined;
  return function getOpenApi(c) {
    text ??= JSON.stringify(createOpenApi({ version, publicUrl: publicUrl() }));
    Object.assign(c.get('headers'), { 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' });
    return reply(c, 200, text);
  };
}
