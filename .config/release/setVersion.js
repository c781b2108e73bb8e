import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ version: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest */

/** The manifests of the repository, by their paths from its root. */
export const manifests = ['package.json', 'sdk/package.json', 'server/package.json', 'e2e/package.json'];

/**
 * Writes a version into the four manifests, into what they say of each other, and into the lockfile.
 * @param {string} root the repository
 * @param {string} version
 */
export function setVersion(root, version) {
  for (const path of manifests) {
    change(join(root, path), (manifest) => setIn(manifest, version));
  }
  change(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const path of manifests) {
      const workspace = lock.packages[path.replace(/\/?package\.json$/, '')];
      if (workspace) setIn(workspace, version);
    }
  });
}

/**
 * @param {Manifest} manifest
 * @param {string} version
 */
function setIn(manifest, version) {
  manifest.version = version;
  for (const pins of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}]) {
    for (const name of Object.keys(pins)) {
      if (name.startsWith('@orderbeacon/')) pins[name] = version;
    }
  }
}

/**
 * @param {string} path
 * @param {(document: Manifest & { packages: Record<string, Manifest> }) => void} edit
 */
function change(path, edit) {
  const document = JSON.parse(readFileSync(path, 'utf8'));
  edit(document);
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
}
