import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../http/acceptsEncoding.js';
import { entityTag } from '../values/entityTag.js';

/** One file as it is served. */
export interface SdkFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Compressed, the best first. Done once, when it is first asked for: brotli takes some 30 ms a file. */
  encoded(): Promise<[encoding: Encoding, bytes: Uint8Array<ArrayBuffer>][]>;
  /** Strong entity tag, with its quotes. */
  etag: string;
  /** For the tag's `integrity` attribute (W3C Subresource Integrity). */
  integrity: string;
}

/** Files of one build of the SDK, by name: `track.js` and `debug.js`. */
type Build = Map<string, SdkFile>;

/** The browser files of the SDK: those that were built with this server, and those of every release. */
export interface SdkFiles {
  /** The version of the SDK's package. */
  version: string;
  /** What was built, which follows the server from version to version. */
  current: Build;
  /** By version, byte for byte as they were released: pages name them by their hash, as long as the server lives. */
  released: Map<string, Build>;
  /**
   * What a tag that names `version` gets: the release's files, also when the sources have changed since then.
   * Before that version is released it is `current`, and may change.
   */
  pinned: Build;
}

/** Loads the SDK's browser files, and hashes the very bytes that will be served. */
export async function loadSdkFiles(): Promise<SdkFiles> {
  const builtFolder = dirname(fileURLToPath(import.meta.resolve('@orderbeacon/sdk/track.js')));
  const manifestPath = join(builtFolder, '../package.json');
  const { version } = JSON.parse(await readFile(manifestPath, 'utf8')) as { version: string };
  const current = await loadBuild(builtFolder);

  const releasedFolder = join(builtFolder, '../released');
  const entries = await readdir(releasedFolder, { withFileTypes: true });
  const released = new Map<string, Build>();
  for (const entry of entries.filter((entry) => entry.isDirectory())) {
    released.set(entry.name, await loadBuild(join(releasedFolder, entry.name)));
  }
  return { version, current, released, pinned: released.get(version) ?? current };
}

async function loadBuild(folder: string): Promise<Build> {
  const names = (await readdir(folder)).filter((name) => name === 'track.js' || name === 'debug.js');
  const files = names.map(
    async (name) => [name, describe(new Uint8Array(await readFile(join(folder, name))))] as const,
  );
  return new Map(await Promise.all(files));
}

function describe(bytes: Uint8Array<ArrayBuffer>): SdkFile {
  let encoded: ReturnType<typeof encode> | undefined;
  return {
    bytes,
    encoded: () => {
      encoded ??= encode(bytes);
      return encoded;
    },
    etag: entityTag(bytes),
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  };
}

async function encode(bytes: Uint8Array): Promise<[Encoding, Uint8Array<ArrayBuffer>][]> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  return [
    ['br', new Uint8Array(br)],
    ['gzip', new Uint8Array(gz)],
  ];
}
