import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The workspaces that are built. */
export const workspaces = /** @type {const} */ (['sdk', 'server']);

/** @typedef {typeof workspaces[number]} Workspace */

const shared = ['tsconfig.json', 'package-lock.json', '.config/build.js'];

/** What each workspace's `dist` follows from: files, and folders with all that is in them. */
const inputs = {
  sdk: ['sdk/src', 'sdk/client', 'sdk/package.json', 'sdk/tsconfig.json', 'sdk/rollup.config.js', ...shared],
  server: ['server/src', 'server/package.json', 'server/tsconfig.json', 'sdk/src/contract.ts', ...shared],
};

/** The file in `dist` that says what it was built from. It is written last, so half a build has none. */
export const stampFile = '.inputs';

/**
 * The hash of all that a workspace is built from. Contents, not times: a checkout, a copy or a clock that was
 * set changes times, and a deleted file has none.
 * @param {Workspace} workspace
 */
export function hashInputs(workspace) {
  const hash = createHash('sha256');
  for (const path of inputs[workspace].flatMap(filesBelow)) {
    const bytes = readFileSync(root + path);
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * True when `dist` was built from the inputs as they are now.
 * @param {Workspace} workspace
 */
export function isFresh(workspace) {
  const stamp = `${root}${workspace}/dist/${stampFile}`;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashInputs(workspace);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (!existsSync(root + path)) return [];
  if (!statSync(root + path).isDirectory()) return [path];
  const entries = readdirSync(root + path, { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(`${path}/${entry.name}`) : `${path}/${entry.name}`,
    );
}
