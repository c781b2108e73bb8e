/** `node .config/release/checkTag.js v0.3.0`: ends with 1 unless this built tree is that release. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEntries } from './changelogs.js';
import { findChangedFiles, isReleased } from './releasedFiles.js';
import { manifests } from './setVersion.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Finds the reason why the tree is not the release that a tag names. Null if there is none.
 * @param {string} tag
 */
function findDifference(tag) {
  const version = tag.replace(/^v/, '');
  for (const path of manifests) {
    const { version: other } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    if (tag !== `v${other}`) return `${path} has the version ${other}.`;
  }
  const silent = readEntries(root, version).find(({ text }) => text === '');
  if (silent) return `${silent.path} has no entries of ${version}.`;
  if (!isReleased(root, version)) return `sdk/released/${version} is missing.`;
  if (!existsSync(join(root, 'sdk/dist'))) return 'The SDK is not built.';
  const [changed] = findChangedFiles(root, version);
  return changed ? `The build of ${changed} is not what sdk/released/${version} keeps.` : null;
}

const [tag = ''] = process.argv.slice(2);
const difference = findDifference(tag);
if (difference) {
  process.stderr.write(`${tag || 'No tag'} is not this tree: ${difference}\n`);
  process.exitCode = 1;
}
