// @module-tag all
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addReleasedFiles } from './release/releasedFiles.js';
import { setVersion } from './release/setVersion.js';

const root = join(import.meta.dirname, '..');
const workspaces = ['', 'sdk', 'server', 'e2e'];

/** Makes a folder with copies of some files of the repository, at the same paths. */
function copyOf(...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true });
  return folder;
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

it('a version is set in all manifests, in their pins and in the lockfile', () => {
  const copy = copyOf('package-lock.json', ...workspaces.map((name) => join(name, 'package.json')));
  // A release must not ask a registry for its version.
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  setVersion(copy, '7.8.9');
  const lock = readJson(copy, 'package-lock.json');
  expect(lock.version).toBe('7.8.9');
  for (const name of workspaces) {
    for (const manifest of [readJson(copy, name, 'package.json'), lock.packages[name]]) {
      const pins = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
      const own = pins.filter(([pinned]) => pinned.startsWith('@orderbeacon/')).map(([, pin]) => pin);
      expect([name, manifest.version, ...own]).toEqual([name, '7.8.9', ...own.map(() => '7.8.9')]);
    }
  }
  expect(lock.packages['node_modules/hono']).toEqual(
    readJson(root, 'package-lock.json').packages['node_modules/hono'],
  );
});

it('the SDK’s files of a release are kept as they were built, with their hashes and their tag', async () => {
  const copy = copyOf('sdk/dist', 'sdk/released/integrity.json');
  mkdirSync(join(copy, 'server'));
  symlinkSync(join(root, 'server/dist'), join(copy, 'server/dist'), 'junction');
  await addReleasedFiles(copy, '7.8.9');
  const integrity = readJson(copy, 'sdk/released/integrity.json');
  expect(integrity).toMatchObject(readJson(root, 'sdk/released/integrity.json'));
  for (const file of ['track.js', 'debug.js']) {
    const bytes = readFileSync(join(copy, 'sdk/released/7.8.9', file));
    expect(bytes.equals(readFileSync(join(root, 'sdk/dist', file)))).toBe(true);
    expect(integrity[`7.8.9/${file}`]).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
  }
  expect(readFileSync(join(copy, 'sdk/released/7.8.9/tag.html'), 'utf8')).toContain(
    `/sdk/7.8.9/track.js" data-team-id="team_…" data-endpoint="https://orders.shop.example" integrity="${integrity['7.8.9/track.js']}"`,
  );
});

it('a release is refused without a new version, with a changelog that says nothing, and beside other changes', () => {
  const copy = copyOf('.config/release.js', '.config/release');
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(copy, '.gitignore'), 'node_modules\n');
  mkdirSync(join(copy, 'sdk/released/7.8.9'), { recursive: true });
  mkdirSync(join(copy, 'server'));
  writeFileSync(
    join(copy, 'sdk/CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- It is new.\n',
  );
  writeFileSync(
    join(copy, 'server/CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n### Fixed\n\n## 7.8.9\n\n- All.\n',
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@shop.example', ...args], { cwd: copy });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  const refusal = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ['.config/release.js', ...args], {
      cwd: copy,
      encoding: 'utf8',
    });
    expect([status, git('diff', '--stat').toString()]).toEqual([1, '']);
    return stderr;
  };
  expect(refusal()).toContain('npm run release -- 0.3.0');
  expect(refusal('v7.9.0')).toContain('npm run release -- 0.3.0');
  expect(refusal('7.8.9')).toBe('7.8.9 was released. A released version never changes.\n');
  expect(refusal('7.9.0')).toBe(
    'server/CHANGELOG.md has nothing under "## Unreleased". Write there what is new.\n',
  );
  writeFileSync(join(copy, 'server/stray.ts'), '');
  expect(refusal('7.9.0')).toContain('?? server/stray.ts');
});
