import { Hono } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { sendFile } from '../../core/script/servedFile.js';
import type { Served } from '../../host/server.js';
import type { AppEnv } from '../../http/hono.js';
import { type Body, createBody } from '../../values/body.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import { once } from '../../values/once.js';
import { createOpenApi } from './openapi/document.js';

/**
 * `GET /openapi.json`: the API of this server in OpenAPI 3.1. Readable from every origin, so that tools on other sites
 * can load it.
 *
 * It is made and compressed once, because that takes some 0.1 s. If a demo team exists by then, its examples use that
 * team, and so work unchanged.
 */
export function openApiRoutes(
  findDemoTeam: () => Promise<{ id: Uuid } | undefined>,
  version: string,
  publicUrl: () => string,
  served: Pick<Served, 'endpoints' | 'events'>,
): Hono<AppEnv> {
  const write = (demoTeamId: string | null) => {
    const document = createOpenApi(served, { version, publicUrl: publicUrl(), demoTeamId });
    return createBody(new TextEncoder().encode(JSON.stringify(document)));
  };
  const withPlaceholders = once(() => write(null));
  let made: Promise<Body> | undefined;
  const body = () => {
    made ??= findDemoTeam().then(
      (demo) => (demo ? write(encodeId('team', demo.id)) : withPlaceholders()),
      () => {
        // Until the database answers, the examples have placeholders.
        made = undefined;
        return withPlaceholders();
      },
    );
    return made;
  };
  const app = new Hono<AppEnv>();
  app.use(etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'Access-Control-Allow-Origin'] }));
  app.get('/', (c) => {
    c.header('Access-Control-Allow-Origin', '*');
    return sendFile(c, { contentType: 'application/json', body });
  });
  return app;
}
