import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The workspaces that are built. */
export const workspaces = /** @type {const} */ (['sdk', 'server']);

/** @typedef {typeof workspaces[number]} Workspace */

const shared = ['tsconfig.json', 'package-lock.json', '.config/build.js'];

/** The inputs of each workspace's `dist`: files, and folders with all their contents. */
const inputs = {
  sdk: ['sdk/src', 'sdk/client', 'sdk/package.json', 'sdk/tsconfig.json', 'sdk/rollup.config.js', ...shared],
  server: [
    'server/src',
    'server/package.json',
    'server/tsconfig.json',
    'sdk/src/contract.ts',
    'sdk/src/contract',
    ...shared,
  ],
};

/** The file in `dist` that says what it was built from. It is written last, so half a build has none. */
const stampFile = '.inputs';

/**
 * Describes the current inputs of a workspace, for the stamp of the build that begins.
 * @param {Workspace} workspace
 */
export function takeStamp(workspace) {
  // Before the compiler reads: what is changed meanwhile makes the build stale, never falsely fresh.
  const takenAt = new Date();
  return { takenAt, hash: hashInputs(workspace) };
}

/**
 * Marks a folder as built from what the stamp says.
 * @param {string} folder
 * @param {ReturnType<typeof takeStamp>} stamp
 */
export function writeStamp(folder, { takenAt, hash }) {
  writeFileSync(`${folder}/${stampFile}`, hash);
  utimesSync(`${folder}/${stampFile}`, takenAt, takenAt);
}

/**
 * True when `dist` was built from the inputs as they are now. Contents decide, since a checkout or a copy changes
 * times alone; they are only read (10 ms) where a file or a folder has changed in any way since the stamp (3 ms).
 * @param {Workspace} workspace
 */
export function isFresh(workspace) {
  const stamp = `${root}${workspace}/dist/${stampFile}`;
  if (!existsSync(stamp)) return false;
  if (lastChangeMs(workspace) < statSync(stamp).mtimeMs) return true;
  const { takenAt, hash } = takeStamp(workspace);
  if (readFileSync(stamp, 'utf8') !== hash) return false;
  try {
    utimesSync(stamp, takenAt, takenAt);
  } catch {
    // Somebody else's checkout: the contents are read again the next time.
  }
  return true;
}

/**
 * Time at which an input was last written, renamed, removed or replaced. It is the change time, which programs cannot
 * set, as they can the modification time. A folder's change time covers the files that it has lost.
 * @param {Workspace} workspace
 */
function lastChangeMs(workspace) {
  return Math.max(
    ...inputs[workspace]
      .filter((path) => existsSync(root + path))
      .flatMap((path) => [path, ...below(path)])
      .map((path) => statSync(root + path).ctimeMs),
  );
}

/** @param {Workspace} workspace */
function hashInputs(workspace) {
  const hash = createHash('sha256');
  for (const path of inputs[workspace].flatMap((path) => [path, ...below(path)])) {
    if (!existsSync(root + path) || statSync(root + path).isDirectory()) continue;
    const bytes = readFileSync(root + path);
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Every file and folder below a folder, in one order; nothing below a file.
 * @param {string} path
 * @returns {string[]}
 */
function below(path) {
  if (!existsSync(root + path) || !statSync(root + path).isDirectory()) return [];
  return readdirSync(root + path)
    .sort()
    .flatMap((name) => [`${path}/${name}`, ...below(`${path}/${name}`)]);
}
