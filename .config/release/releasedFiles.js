import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Files that pages load by version. Servers serve them for ever. */
const files = ['debug.js', 'track.js'];

const hashOf = (/** @type {string} */ path) =>
  `sha384-${createHash('sha384').update(readFileSync(path)).digest('base64')}`;

/**
 * Copies the built browser files and the tag that merchants paste to `sdk/released/<version>/`. Adds their hashes to
 * `sdk/released/integrity.json`.
 * @param {string} root the repository, built
 * @param {string} version
 */
export async function addReleasedFiles(root, version) {
  const folder = join(root, 'sdk/released', version);
  mkdirSync(folder);
  const listPath = join(root, 'sdk/released/integrity.json');
  const list = JSON.parse(readFileSync(listPath, 'utf8'));
  for (const file of files) {
    copyFileSync(join(root, 'sdk/dist', file), join(folder, file));
    list[`${version}/${file}`] = hashOf(join(folder, file));
  }
  writeFileSync(listPath, `${JSON.stringify(list, null, 2)}\n`);

  const { tagHtml } = await import(pathToFileURL(join(root, 'server/dist/core/script/tag.js')).href);
  const html = tagHtml({
    publicUrl: 'https://orders.shop.example',
    teamId: 'team_…',
    pinnedTo: { version, integrity: list[`${version}/track.js`] },
  });
  writeFileSync(join(folder, 'tag.html'), `${html}\n`);
}
