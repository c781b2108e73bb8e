import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Handler } from 'hono';
import type { AppEnv } from '../http/context.js';
import { replyFile } from '../http/replyFile.js';
import { createServedFiles } from '../site/servedFiles.js';
import { ApiError } from '../values/errors.js';

/** The console's own files, beside this one in src as in dist. */
const ownFiles = [
  'chart.js',
  'console.css',
  'copy.js',
  'demo.js',
  'docs.css',
  'icon.svg',
  'live.js',
  'signIn.js',
  'zone.js',
];

/** `GET /console/assets/<file>`: scripts and styles, those of packages from the packages' own files. */
export function getAsset(): Handler<AppEnv> {
  const pathOf = new Map([
    ['pico.min.css', join(folderOf('@picocss/pico/package.json'), 'css', 'pico.min.css')],
    ...['uPlot.iife.min.js', 'uPlot.min.css'].map(
      (name) => [name, join(folderOf('uplot/package.json'), 'dist', name)] as const,
    ),
    ...ownFiles.map((name) => [name, fileURLToPath(new URL(`assets/${name}`, import.meta.url))] as const),
  ]);
  const find = createServedFiles(pathOf);

  return async function getAsset(c) {
    const file = await find(c.req.param('file')!);
    if (!file) throw new ApiError('not_found');
    return replyFile(c, file);
  };
}

function folderOf(file: string): string {
  return dirname(fileURLToPath(import.meta.resolve(file)));
}
