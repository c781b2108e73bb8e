import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const changelogs = ['sdk/CHANGELOG.md', 'server/CHANGELOG.md'];
/** The heading, and what stands under it up to the next one. */
const unreleased = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/**
 * The changelogs that tell of nothing new: they have no `## Unreleased`, or nothing under it.
 * @param {string} root the repository
 * @returns {string[]} paths from the root
 */
export function findSilentChangelogs(root) {
  return changelogs.filter((path) => {
    const [, entries = ''] = unreleased.exec(readFileSync(join(root, path), 'utf8')) ?? [];
    return entries.trim() === '';
  });
}

/**
 * Makes the heading `## Unreleased` of each changelog the version's.
 * @param {string} root the repository
 * @param {string} version
 * @param {string} date `2026-11-21`
 */
export function dateChangelogs(root, version, date) {
  for (const path of changelogs) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(root, path), text.replace(/^## Unreleased$/m, `## ${version} (${date})`));
  }
}

/**
 * Reads the entries of a version from each changelog; `''` where it has none.
 * @param {string} root the repository
 * @param {string} version
 */
export function readEntries(root, version) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: \\(.*\\))?$`);
  return changelogs.map((path) => {
    const parts = readFileSync(join(root, path), 'utf8').split(/^(?=## )/m);
    const [, ...entries] = parts.find((part) => heading.test(part.split('\n')[0] ?? ''))?.split('\n') ?? [];
    return { path, text: entries.join('\n').trim() };
  });
}
