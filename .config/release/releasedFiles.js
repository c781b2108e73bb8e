import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The files that pages load by version. Servers serve them for ever. */
const files = ['debug.js', 'track.js'];

const released = (/** @type {string} */ root) => join(root, 'sdk/released');
const hashOf = (/** @type {string} */ path) =>
  `sha384-${createHash('sha384').update(readFileSync(path)).digest('base64')}`;

/**
 * True if this version has released files.
 * @param {string} root the repository
 * @param {string} version
 */
export const isReleased = (root, version) => existsSync(join(released(root), version));

/**
 * Copies the built browser files to `sdk/released/<version>/`, with the tag that merchants paste, and adds their
 * hashes to `sdk/released/integrity.json`.
 * @param {string} root the repository, built
 * @param {string} version
 */
export async function addReleasedFiles(root, version) {
  const folder = join(released(root), version);
  mkdirSync(folder);
  const listPath = join(released(root), 'integrity.json');
  const list = JSON.parse(readFileSync(listPath, 'utf8'));
  for (const file of files) {
    copyFileSync(join(root, 'sdk/dist', file), join(folder, file));
    list[`${version}/${file}`] = hashOf(join(folder, file));
  }
  writeFileSync(listPath, `${JSON.stringify(list, null, 2)}\n`);

  const { tagHtml } = await import(pathToFileURL(join(root, 'server/dist/site/tag.js')).href);
  const html = tagHtml({
    publicUrl: 'https://orders.shop.example',
    teamId: 'team_…',
    pinnedTo: { version, integrity: list[`${version}/track.js`] },
  });
  writeFileSync(join(folder, 'tag.html'), `${html}\n`);
}

/**
 * The browser files whose build is not, byte for byte, what was added to the released ones.
 * @param {string} root the repository, built
 * @param {string} version
 */
export const findChangedFiles = (root, version) =>
  files.filter(
    (file) => hashOf(join(root, 'sdk/dist', file)) !== hashOf(join(released(root), version, file)),
  );
