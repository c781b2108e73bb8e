import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Runs a module in the package's folder with Node, and returns what it prints. */
async function run(script: string): Promise<string> {
  const argv = ['--input-type=module', '-e', script];
  return (await promisify(execFile)(process.execPath, argv, { cwd: folder })).stdout;
}

it('the file of the script tag is at most 3,350 bytes, as Node and `gzip -9` compress it and as the guides say', () => {
  const budgetBytes = 3350;
  const path = `${folder}/dist/track.js`;
  const sizes = [gzipSync(readFileSync(path), { level: 9 }), execFileSync('gzip', ['-9', '-c', path])];
  expect(Math.max(...sizes.map(({ length }) => length))).toBeLessThanOrEqual(budgetBytes);
  for (const guide of ['guides/browsers.md', '../README.md'])
    expect(read(guide)).toContain(`at most ${budgetBytes.toLocaleString('en')} bytes`);
});

it('the file of the script tag loads nothing, and is one statement that leaves no name behind', () => {
  const code = read('dist/track.js');
  expect(code).not.toMatch(/^import|[^.\w]require\(/m);
  expect(code).toMatch(/^(?:\(|!|void)/);
});

it('importing and rendering on a server touch nothing, and track() there is refused and says why', async () => {
  const script = `const before = Object.keys(globalThis).length;
    const { createTracker } = await import('@orderbeacon/sdk');
    const endpoint = 'https://orders.shop.example';
    const tracker = createTracker({ teamId: 'team_01h455vb4pex5vsknk084sn02q', endpoint });
    const result = await tracker.track('order', { email: 'a@b.example', amount: 1 });
    const thrown = [undefined, {}, { teamId: undefined, endpoint }].map((options) => {
      try {
        createTracker(options);
      } catch (error) {
        return String(error);
      }
    });
    await import('@orderbeacon/sdk/track.js');
    await import('@orderbeacon/sdk/debug.js');
    console.log(JSON.stringify({ added: Object.keys(globalThis).length - before, visitorId: tracker.visitorId, result, thrown }));`;
  const { added, visitorId, result, thrown } = JSON.parse(await run(script));
  expect([added, visitorId]).toEqual([0, undefined]);
  expect(result).toMatchObject({ status: 'refused', error: { message: expect.stringContaining('browser') } });
  expect(thrown).toEqual(Array(3).fill(expect.stringMatching(/^TypeError: teamId must be a team /)));
});

it('every file says its version: the one of the package', () => {
  const { version } = JSON.parse(read('package.json'));
  for (const file of ['track.js', 'index.js', 'debug.js']) expect(read(`dist/${file}`)).toContain(version);
});

it('the client for backends loads nothing, and its types need nothing but the contract’s', () => {
  for (const path of ['dist/client.js', 'dist/client.cjs']) {
    expect(read(path)).not.toMatch(/^\s*(?:import|export)\b.*\bfrom\b|\bimport\(|[^.\w]require\(/m);
  }
  const [from, ...others] = new Set(
    [...read('dist/client.d.ts').matchAll(/ from '(.+)';$/gm)].map(([, to]) => to),
  );
  expect([from, others]).toEqual(['./contract.js', []]);
});

it('one version for SDK, server and the whole, and the changelogs have it', () => {
  const version = JSON.parse(read('package.json')).version;
  const lock = JSON.parse(read('../package-lock.json'));
  expect(lock.version).toBe(version);
  for (const name of ['', 'sdk', 'server', 'e2e']) {
    for (const manifest of [JSON.parse(read(`../${name}/package.json`)), lock.packages[name]]) {
      expect([name, manifest.version]).toEqual([name, version]);
      const pins = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
      const ours = pins.filter(([pinned]) => pinned.startsWith('@orderbeacon/'));
      expect(ours).toEqual(ours.map(([pinned]) => [pinned, version]));
    }
  }
  const heading = version.endsWith('-dev') ? '## Unreleased\n' : `## ${version} (`;
  for (const path of ['CHANGELOG.md', '../server/CHANGELOG.md']) expect(read(path)).toContain(heading);
});

it('a script calls itself a release only if it is that one, byte for byte', () => {
  const { version } = JSON.parse(read('package.json'));
  const released = version.endsWith('-dev') ? [] : [read(`released/${version}/track.js`)];
  expect(released).toEqual(released.map(() => read('dist/track.js')));
  expect(version).toMatch(/^\d+\.\d+\.\d+(-dev)?$/);
});
