import { join } from 'node:path';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { filesIn, packageFolder, sendFile } from '../core/script/servedFile.js';
import type { AppEnv } from '../http/hono.js';
import { ownPath } from '../values/ownPath.js';

const ownFolder = ownPath('console/assets');
const ownFiles = ['console.css', 'console.js', 'icon.svg', 'live.js', 'look.css', 'signIn.js'];

/** Routes of `GET /console/assets/<file>`: scripts and styles. Those of packages are served from the packages' folders. */
export function assetRoutes(): Hono<AppEnv> {
  const files = new Map([
    ...filesIn(ownFolder, ownFiles),
    ...filesIn(join(packageFolder('@picocss/pico'), 'css'), ['pico.min.css']),
  ]);
  const app = new Hono<AppEnv>();
  app.use(etag());
  app.get('/:file', (c) => sendFile(c, files.get(c.req.param('file'))));
  return app;
}
