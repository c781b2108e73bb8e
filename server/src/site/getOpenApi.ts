import type { Handler } from 'hono';
import type { Sql } from '../database/connection/connect.js';
import type { AppEnv } from '../http/context.js';
import { findDemoTeam } from '../teams/sql/demoTeam.js';
import { encodeId } from '../values/ids.js';
import { createOpenApi } from './openapi/document.js';

/**
 * `GET /openapi.json`: the API of this server, in OpenAPI 3.1. Its examples use the demo team if there is one, so
 * that they work unchanged. Readable from every origin, so that tools on other sites can load it.
 */
export function getOpenApi(sql: Sql, version: string, publicUrl: () => string): Handler<AppEnv> {
  let made: { demoTeamId: string | null; text: string } | undefined;
  return async function getOpenApi(c) {
    // Without the database the examples have placeholders.
    const demo = await findDemoTeam(sql).catch(() => undefined);
    const demoTeamId = demo ? encodeId('team', demo.id) : null;
    if (made?.demoTeamId !== demoTeamId)
      made = {
        demoTeamId,
        text: JSON.stringify(createOpenApi({ version, publicUrl: publicUrl(), demoTeamId })),
      };
    return c.body(made.text, 200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
    });
  };
}
