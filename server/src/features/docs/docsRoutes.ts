import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { filesIn, packageFolder, sendFile } from '../../core/script/servedFile.js';
import type { Served } from '../../host/server.js';
import type { AppEnv } from '../../http/hono.js';
import { pageHeaders, pagePolicy } from '../../http/securityHeaders.js';
import { statusOf } from '../../values/errors.js';
import { once } from '../../values/once.js';
import { ownPath } from '../../values/ownPath.js';
import { answerSearch } from './answerSearch.js';
import { serveDocuments } from './servedDocuments.js';

const ownFolder = ownPath('features/docs');

/**
 * Serves the documentation.
 *
 * `GET /docs`: the table of contents. `GET /docs/<document>`: a guide or a recipe as a page. With `.md`, each address
 * answers its Markdown. `GET /docs/errors/<code>` redirects to the section of the code. `GET /llms.txt` lists all
 * documents, and `GET /llms-full.txt` contains all of them.
 *
 * `GET /docs/api`: shows `/openapi.json` as a page, with a form that sends requests with the caller's API key.
 *
 * `GET /docs/assets/<file>`: scripts and styles of these pages.
 */
export function docsRoutes(served: Served): Hono<AppEnv> {
  const assets = new Map([
    ...filesIn(ownFolder, ['api.js', 'api.css', 'pages.css', 'pages.js']),
    ...filesIn(packageFolder('swagger-ui-dist'), ['swagger-ui-bundle.js', 'swagger-ui.css']),
  ]);
  const documents = once(() => serveDocuments(served));
  const app = new Hono<AppEnv>();
  // Before `etag`, because a browser replaces a page's headers by those of a 304. `formAction`, because the search is a
  // form.
  app.use('/docs/*', pageHeaders({ ...pagePolicy, formAction: ["'self'"] }));
  app.use('/docs/*', etag());
  // Relative, because a proxy may add a path.
  app.get('/docs/errors/:code{[a-z_]+}', (c) => {
    const code = c.req.param('code');
    return Object.hasOwn(statusOf, code) ? c.redirect(`../errors#${code}`) : c.notFound();
  });
  app.get('/docs/assets/:file', (c) => sendFile(c, assets.get(c.req.param('file'))));
  app.get('/docs', async (c, next) => {
    const query = c.req.query('q')?.trim();
    if (!query) return next();
    const files = await documents();
    const read = async (path: string) => new TextDecoder().decode((await files.get(path)!.body()).bytes);
    const [list, texts] = await Promise.all([read('docs'), read('docs/search.json')]);
    return c.html(answerSearch(list, JSON.parse(texts), query));
  });
  for (const path of ['/docs/*', '/docs.md', '/llms.txt', '/llms-full.txt']) {
    app.get(path, async (c) => sendFile(c, (await documents()).get(c.req.path.slice(1))));
  }
  return app;
}
