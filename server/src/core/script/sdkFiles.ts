import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBody } from '../../values/body.js';
import { once } from '../../values/once.js';
import type { ServedFile } from './servedFile.js';

interface SdkFile extends ServedFile {
  /** Hash for the tag's `integrity` attribute (W3C Subresource Integrity). */
  integrity: string;
}

/** Files of one build of the SDK, by name: `track.js` and `debug.js`. */
type Build = Map<string, SdkFile>;

/** A release that a tag can pin: the browser then runs no other file than the one with this hash. */
export interface Pin {
  version: string;
  /** Hash of the release's `track.js`. */
  integrity: string;
}

/** The browser files of the SDK: those that were built with this server, and those of every release. */
export interface SdkFiles {
  /** The current build, which changes with the server's version. */
  current: Build;
  /** Files of each release by its version, byte for byte as released. They stay forever, because pages name them by their hash. */
  released: ReadonlyMap<string, Build>;
  /** The release whose script equals the current one, byte for byte; null in a development version. */
  pin: Pin | null;
}

const builtFolder = () => dirname(fileURLToPath(import.meta.resolve('@orderbeacon/sdk/track.js')));

/**
 * Loads the SDK's browser files.
 * @param releasedFolder has a folder for each release, named after its version
 */
export async function loadSdkFiles(releasedFolder = join(builtFolder(), '../released')): Promise<SdkFiles> {
  const current = await loadBuild(builtFolder());
  const released = new Map<string, Build>();
  for (const entry of await readdir(releasedFolder, { withFileTypes: true })) {
    if (entry.isDirectory()) released.set(entry.name, await loadBuild(join(releasedFolder, entry.name)));
  }
  return { current, released, pin: findPin(current, released) };
}

function findPin(current: Build, released: ReadonlyMap<string, Build>): Pin | null {
  const { integrity } = current.get('track.js')!;
  for (const [version, build] of released) {
    if (build.get('track.js')?.integrity === integrity) return { version, integrity };
  }
  return null;
}

async function loadBuild(folder: string): Promise<Build> {
  const names = (await readdir(folder)).filter((name) => name === 'track.js' || name === 'debug.js');
  const files = names.map(
    async (name) => [name, createSdkFile(new Uint8Array(await readFile(join(folder, name))))] as const,
  );
  return new Map(await Promise.all(files));
}

/** Makes a served file of its uncompressed bytes. The `integrity` hash covers these. They are compressed at the first request. */
function createSdkFile(bytes: Uint8Array<ArrayBuffer>): SdkFile {
  return {
    contentType: 'text/javascript; charset=utf-8',
    body: once(() => createBody(bytes, { brotli: true })),
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  };
}
