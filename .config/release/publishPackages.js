/**
 * `node .config/release/publishPackages.js FOLDER`: publishes the tarballs that `npm run pack:all` left there to npm, with
 * provenance. A release that stopped in the middle can be run again: versions that npm has are skipped.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.packages'] = process.argv.slice(2);

/** The tarballs in the order of `SHA256SUMS`. That of the SDK is first, because the server needs it. */
const tarballs = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => /** @type {[string, string]} */ (line.split('  ')));

for (const [sha256, name] of tarballs) {
  const path = join(folder, name);
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256) {
    throw new Error(`${path} is not what SHA256SUMS says.`);
  }
  const manifest = execFileSync('tar', ['-xOf', path, 'package/package.json'], { encoding: 'utf8' });
  const id = `${JSON.parse(manifest).name}@${JSON.parse(manifest).version}`;
  if (spawnSync('npm', ['view', id, 'version'], { encoding: 'utf8' }).stdout.trim()) {
    process.stdout.write(`${id} is published already.\n`);
    continue;
  }
  // A path without ./ could be read as a repository of GitHub.
  execFileSync('npm', ['publish', `./${path}`, '--access', 'public', '--provenance'], { stdio: 'inherit' });
}
