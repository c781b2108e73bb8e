import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeLock } from './runtimeLock.js';

/**
 * Packs the built SDK and the built server into a folder, with their SHA-256 in `SHA256SUMS` beside them, in the
 * form that `sha256sum -c` reads, and a lockfile of what they depend on. Tarballs that were there before go.
 * @param {string} root the repository
 * @param {string} folder made where it is missing
 * @returns {{ name: string, sha256: string }[]} the tarballs
 */
export function packTarballs(root, folder) {
  mkdirSync(folder, { recursive: true });
  const tarballs = () => readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  for (const name of tarballs()) rmSync(join(folder, name));
  execFileSync('npm', ['pack', '--silent', '-w', 'sdk', '-w', 'server', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const packed = tarballs().map((name) => ({
    name,
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }));
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    packed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''),
  );
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(runtimeLock(lock), null, 2)}\n`);
  return packed;
}
