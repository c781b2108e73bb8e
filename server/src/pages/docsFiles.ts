import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { entityTag } from '../entityTag.js';

/** One file of the docs page, in the bytes that are sent. */
export interface DocsFile {
  contentType: string;
  gzipped: Uint8Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
  /** Strong entity tag, with its quotes. */
  etag: string;
}

const contentTypes = new Map([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

/**
 * Gives the files of Swagger UI for the docs page, by name; undefined for any other name. A file is read and
 * compressed at its first request: most servers never show the page.
 */
export function createDocsFiles(): (name: string) => Promise<DocsFile> | undefined {
  const files = new Map<string, Promise<DocsFile>>();
  return (name) => {
    const contentType = contentTypes.get(name);
    if (contentType === undefined) return undefined;
    let file = files.get(name);
    if (!file) {
      file = load(name, contentType);
      files.set(name, file);
    }
    return file;
  };
}

async function load(name: string, contentType: string): Promise<DocsFile> {
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const bytes = new Uint8Array(await readFile(join(folder, name)));
  return {
    contentType,
    bytes,
    gzipped: new Uint8Array(await promisify(gzip)(bytes)),
    etag: entityTag(bytes),
  };
}
