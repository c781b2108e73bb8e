import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSilentChangelogs } from './changelogs.js';
import { isReleased } from './releasedFiles.js';

const readJson = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Finds the reason why this version cannot be released from this tree, with its remedy. Null if there is none.
 * @param {string} root the repository
 * @param {string | undefined} version as it was asked for
 * @returns {string | null}
 */
export function findObstacle(root, version) {
  if (!version || !/^\d+\.\d+\.\d+$/.test(version)) {
    return 'Name the new version, three numbers: npm run release -- 1.2.3';
  }
  const { version: current } = readJson(join(root, 'package.json'));
  if (!isNewer(version, current) || isReleased(root, version)) {
    return `${version} is not newer than ${current}. A released version never changes.`;
  }
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trimEnd();
  if (changes) return `These changes are not committed; commit them, or put them away:\n${changes}`;
  const [silent] = findSilentChangelogs(root);
  if (silent) return `${silent} has nothing under "## Unreleased". Write there what is new.`;
  const [other] = findOtherPackages(root);
  if (other) return `${other} is not installed as package-lock.json has it. Run: npm ci`;
  return null;
}

/**
 * @param {string} version
 * @param {string} than
 */
const isNewer = (version, than) => version.localeCompare(than, 'en', { numeric: true }) > 0;

/**
 * The build's bytes depend on the very versions of its tools.
 * @param {string} root
 */
function findOtherPackages(root) {
  const installedPath = join(root, 'node_modules/.package-lock.json');
  const installed = existsSync(installedPath) ? readJson(installedPath).packages : {};
  /** @type {Record<string, { version?: string, link?: boolean, optional?: boolean }>} */
  const locked = readJson(join(root, 'package-lock.json')).packages;
  return Object.entries(locked)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .filter(([path, { version, optional }]) => {
      const found = installed[path]?.version;
      return found !== version && !(optional && found === undefined);
    })
    .map(([path]) => path);
}
