import { join } from 'node:path';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { AppEnv } from '../http/context.js';
import { filesIn, packageFolder, sendFile } from '../site/servedFile.js';
import { ownPath } from '../values/ownPath.js';

const ownFolder = ownPath('console/assets');
const ownFiles = [
  'ago.js',
  'chart.js',
  'console.css',
  'copy.js',
  'demo.js',
  'filters.js',
  'icon.svg',
  'live.js',
  'liveFigures.js',
  'sendOnce.js',
  'signIn.js',
  'stack.js',
];

/** `GET /console/assets/<file>`: scripts and styles, those of packages from the packages' own files. */
export function assetRoutes(): Hono<AppEnv> {
  const files = new Map([
    ...filesIn(ownFolder, ownFiles),
    ...filesIn(join(packageFolder('@picocss/pico'), 'css'), ['pico.min.css']),
    ...filesIn(join(packageFolder('uplot'), 'dist'), ['uPlot.iife.min.js', 'uPlot.min.css']),
  ]);
  const app = new Hono<AppEnv>();
  app.use(etag());
  app.get('/:file', (c) => sendFile(c, files.get(c.req.param('file'))));
  return app;
}
