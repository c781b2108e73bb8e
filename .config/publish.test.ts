import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '..');

/** A folder with programs of these names in place of the real ones; `calls` reads the arguments that they got. */
function standIns(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-publish-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'calls');
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  return {
    packages,
    output: () => readFileSync(join(folder, 'output'), 'utf8'),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    run: (script: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(root, '.config/release', script), ...args], {
        cwd: folder,
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, GITHUB_OUTPUT: join(folder, 'output') },
        encoding: 'utf8',
      }),
  };
}

/** Two tarballs with nothing but a manifest, and their `SHA256SUMS`. */
function pack(folder: string) {
  const lines = ['sdk', 'server'].map((name) => {
    mkdirSync(join(folder, 'package'), { recursive: true });
    const manifest = { name: `@orderbeacon/${name}`, version: '0.3.0' };
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest));
    const file = `orderbeacon-${name}-0.3.0.tgz`;
    spawnSync('tar', ['-czf', file, 'package'], { cwd: folder });
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    return `${hash}  ${file}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

it('packages are published with provenance, the SDK first, and what npm has is skipped', () => {
  const fresh = standIns({ npm: '' });
  pack(fresh.packages);
  expect(fresh.run('publishPackages.js', 'packages')).toMatchObject({ status: 0 });
  expect(fresh.calls()).toEqual([
    'npm view @orderbeacon/sdk@0.3.0 version',
    'npm publish ./packages/orderbeacon-sdk-0.3.0.tgz --access public --provenance',
    'npm view @orderbeacon/server@0.3.0 version',
    'npm publish ./packages/orderbeacon-server-0.3.0.tgz --access public --provenance',
  ]);

  const again = standIns({ npm: 'case "$*" in *sdk*) echo 0.3.0 ;; esac' });
  pack(again.packages);
  expect(again.run('publishPackages.js', 'packages').stdout).toContain('@orderbeacon/sdk@0.3.0 is published');
  expect(again.calls().filter((call) => call.includes('publish'))).toEqual([
    'npm publish ./packages/orderbeacon-server-0.3.0.tgz --access public --provenance',
  ]);
});

it('a tarball that is not what was packed is not published', () => {
  const { packages, run, calls } = standIns({ npm: '' });
  pack(packages);
  writeFileSync(join(packages, 'orderbeacon-sdk-0.3.0.tgz'), 'other bytes');
  const { status, stderr } = run('publishPackages.js', 'packages');
  expect([status, stderr]).toEqual([1, expect.stringContaining('is not what SHA256SUMS says')]);
  expect(calls()).toEqual([]);
});

const digest = `sha256:${'ab'.repeat(32)}`;
const docker = `case "$*" in
  *imagetools*) echo ${digest} ;;
  *) printf '{"containerimage.digest":"sha256:cd"}' > packages/image.json ;;
esac`;

it('the image is built for two architectures on a base by digest, with SBOM and provenance, and its digest is signed', () => {
  const { run, calls, output } = standIns({ docker, cosign: '' });
  const { status, stdout } = run('pushImage.js', 'packages', 'ghcr.io/o/o', 'v0.3.0', 'abc');
  expect([status, stdout]).toEqual([0, 'ghcr.io/o/o:0.3.0@sha256:cd\n']);
  expect(output()).toBe('image=ghcr.io/o/o:0.3.0@sha256:cd\n');
  const [inspect, build, sign] = calls();
  expect(inspect).toMatch(/^docker buildx imagetools inspect node:[\d.]+-\w+-slim --format/);
  for (const part of [
    '--platform linux/amd64,linux/arm64 ',
    `-slim@${digest} `,
    '--build-arg VERSION=0.3.0 --build-arg REVISION=abc ',
    '--sbom=true --provenance=mode=max ',
    '--tag ghcr.io/o/o:0.3.0 --push ',
  ])
    expect(build).toContain(part);
  expect(sign).toBe('cosign sign --yes ghcr.io/o/o@sha256:cd');
});

it('no image is built where the base’s digest is not known', () => {
  const { run, calls } = standIns({ docker: 'true', cosign: '' });
  expect(run('pushImage.js', 'packages', 'ghcr.io/o/o', 'v0.3.0', 'abc').status).toBe(1);
  expect(calls()).toHaveLength(1);
});

it('the notes of a release are its image and its entries of both changelogs, and a tree that is not the release is refused', () => {
  const { run } = standIns({});
  const { stdout } = run('releaseNotes.js', 'v0.1.0', 'ghcr.io/o/o:0.1.0@sha256:cd');
  expect(stdout).toMatch(
    /^Image: `ghcr\.io\/o\/o:0\.1\.0@sha256:cd`\n\n## @orderbeacon\/sdk\n\n- [\s\S]+\n\n## @orderbeacon\/server\n\n- [\s\S]+\n$/,
  );
  expect(stdout).not.toContain('## 0.');
  const { status, stderr } = run('checkTag.js', 'v9.9.9');
  expect([status, stderr]).toEqual([1, expect.stringContaining('package.json has the version')]);
});
