/**
 * Packs the built SDK and the built server into a folder: `npm run pack:all [-- FOLDER]`, by default `.packages`. It also writes
 * `SHA256SUMS`, which `sha256sum -c` reads, and a lockfile, which holds `npm install` to the tested versions and their hashes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, '.packages'));
const tarballs = () => readdirSync(folder).filter((name) => name.endsWith('.tgz'));

mkdirSync(folder, { recursive: true });
for (const name of tarballs()) rmSync(join(folder, name));
execFileSync('npm', ['pack', '--silent', '-w', 'sdk', '-w', 'server', '--pack-destination', folder], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
});

const sums = tarballs().map((name) => {
  const bytes = readFileSync(join(folder, name));
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));

/** @type {{ lockfileVersion: number, packages: Record<string, { dev?: boolean, link?: boolean }> }} */
const { lockfileVersion, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const run = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.startsWith('node_modules/') && !link && !dev,
);
const lock = { lockfileVersion, requires: true, packages: { '': {}, ...Object.fromEntries(run) } };
writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);

process.stdout.write(`In ${relative(process.cwd(), folder) || '.'}, by SHA-256:\n${sums.join('')}`);
