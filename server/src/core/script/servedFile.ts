import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import type { AppEnv } from '../../http/hono.js';
import { type Body, chooseEncoding, createBody } from '../../values/body.js';
import { ApiError } from '../../values/errors.js';
import { once } from '../../values/once.js';
import { ownPath } from '../../values/ownPath.js';

/** A file that is served from memory. */
export interface ServedFile {
  contentType: string;
  /** Reads and compresses the file at the first call. */
  body(): Promise<Body>;
}

const contentTypes = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/** Makes the served files of a folder, by name. Each is read at its first request, because most servers show few pages. */
export function filesIn(folder: string, names: readonly string[]): Map<string, ServedFile> {
  return new Map(
    names.map((name) => {
      const read = async () => new Uint8Array(await readFile(join(folder, name)));
      const body = once(async () => createBody(await read()));
      return [name, { contentType: contentTypes.get(extname(name))!, body }];
    }),
  );
}

/** Finds the folder of a package's files. A build has a copy of the served ones; sources that run unbuilt use the package. */
export function packageFolder(name: string): string {
  const copy = ownPath(`packages/${name}`);
  return existsSync(copy) ? copy : dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
}

/**
 * Answers with a file, compressed if the client accepts that. Hono's `etag` middleware answers 304 to clients that have the file.
 * @throws ApiError `not_found` if there is no file
 */
export async function sendFile(
  c: Context<AppEnv>,
  file: ServedFile | undefined,
  cacheControl = 'no-cache',
): Promise<Response> {
  if (!file) throw new ApiError('not_found');
  const body = await file.body();
  const { bytes, encoding } = chooseEncoding(body, c.req.header('accept-encoding'));
  c.header('Content-Type', file.contentType);
  c.header('Cache-Control', cacheControl);
  c.header('ETag', body.etag);
  c.header('Vary', 'Accept-Encoding');
  if (encoding) c.header('Content-Encoding', encoding);
  return c.body(bytes);
}
