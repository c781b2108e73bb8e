import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { AppEnv } from '../http/context.js';
import { pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import { filesIn, packageFolder, sendFile } from './servedFile.js';

const ownFolder = fileURLToPath(new URL('docs', import.meta.url));

/**
 * `GET /docs`: shows `/openapi.json` as a page, with a form that sends its requests with the caller's key.
 *
 * `GET /docs/<file>`: the scripts and styles of that page.
 */
export function docsRoutes(): Hono<AppEnv> {
  const page = filesIn(ownFolder, ['index.html']).get('index.html');
  const files = new Map([
    ...filesIn(ownFolder, ['start.js']),
    ...filesIn(packageFolder('swagger-ui-dist'), ['swagger-ui-bundle.js', 'swagger-ui.css']),
  ]);
  const app = new Hono<AppEnv>();
  // Around `etag`, because a browser takes the headers of a 304 in place of those that it has.
  app.use('/', pageHeaders(pagePolicy));
  app.use(etag());
  app.get('/', (c) => sendFile(c, page));
  app.get('/:file', (c) => sendFile(c, files.get(c.req.param('file'))));
  return app;
}
