import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { entityTag } from '../entityTag.js';
import type { Encoding } from '../http/acceptsEncoding.js';

/** One file as it is served. */
export interface SdkFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Precompressed, the best first. */
  encoded: [encoding: Encoding, bytes: Uint8Array<ArrayBuffer>][];
  /** Strong entity tag, with its quotes. */
  etag: string;
  /** For the tag's `integrity` attribute (W3C Subresource Integrity). */
  integrity: string;
}

/** The browser files of the SDK that this server ships with. */
export interface SdkFiles {
  version: string;
  /** By name, such as `track.js`. */
  files: Map<string, SdkFile>;
}

/** Loads and compresses the SDK's browser files, and hashes the very bytes that will be served. */
export async function loadSdkFiles(): Promise<SdkFiles> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@orderbeacon/sdk/track.js')));
  const manifest = JSON.parse(await readFile(join(folder, '../package.json'), 'utf8')) as { version: string };
  const names = (await readdir(folder)).filter((name) => name === 'track.js' || name === 'debug.js');
  const files = await Promise.all(
    names.map(async (name) => [name, encode(new Uint8Array(await readFile(join(folder, name))))] as const),
  );
  return { version: manifest.version, files: new Map(files) };
}

function encode(bytes: Uint8Array<ArrayBuffer>): SdkFile {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return {
    bytes,
    encoded: [
      ['br', new Uint8Array(brotli)],
      ['gzip', new Uint8Array(gzipSync(bytes, { level: 9 }))],
    ],
    etag: entityTag(bytes),
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  };
}
