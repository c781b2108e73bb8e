import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ServedFile } from '../http/replyFile.js';
import { entityTag } from '../values/entityTag.js';

const contentTypes = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/**
 * Gives files by name; undefined for any other name. A file is read and compressed at its first request: most
 * servers never show most pages.
 * @param pathOf the path of each file; their endings are those of `contentTypes`
 */
export function createServedFiles(
  pathOf: ReadonlyMap<string, string>,
): (name: string) => Promise<ServedFile> | undefined {
  const files = new Map<string, Promise<ServedFile>>();
  return (name) => {
    const path = pathOf.get(name);
    if (path === undefined) return undefined;
    let file = files.get(name);
    if (!file) {
      file = load(path);
      files.set(name, file);
    }
    return file;
  };
}

async function load(path: string): Promise<ServedFile> {
  const bytes = new Uint8Array(await readFile(path));
  return {
    contentType: contentTypes.get(extname(path))!,
    bytes,
    gzipped: new Uint8Array(await promisify(gzip)(bytes)),
    etag: entityTag(bytes),
  };
}
