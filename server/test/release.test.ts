import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [major, minor] = current.split('.').map(Number);
const next = `${major}.${minor + 1}.0`;

/** A made-up release, whose files every later one keeps. */
const earlier = '0.0.1';

/** The working tree as it is, committed in a repository of its own; it shares the packages that are installed here. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'orderbeacon-release-'));
  const left = /(?:^|[\\/])(?:node_modules|dist(?:\.[^\\/]*)?|\.git|\.data|\.packages|\.evidence)$/;
  cpSync(root, copy, { recursive: true, filter: (path) => !left.test(relative(root, path)) });
  mkdirSync(join(copy, 'node_modules/@orderbeacon'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@orderbeacon') continue;
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), 'junction');
  }
  for (const name of ['sdk', 'server', 'e2e']) {
    symlinkSync(join(copy, name), join(copy, 'node_modules/@orderbeacon', name), 'junction');
  }
  for (const name of ['sdk', 'server']) {
    const path = join(copy, name, 'CHANGELOG.md');
    const [title, ...rest] = readFileSync(path, 'utf8')
      .replace(/^## Unreleased\n/m, '')
      .split('\n');
    writeFileSync(path, [title, '', '## Unreleased', '', `- What is new in ${name}.`, ...rest].join('\n'));
  }
  mkdirSync(join(copy, 'sdk/released', earlier));
  writeFileSync(join(copy, 'sdk/released', earlier, 'track.js'), '');
  writeFileSync(join(copy, 'sdk/released/integrity.json'), JSON.stringify({ [`${earlier}/track.js`]: '' }));
  git(copy, 'init', '--quiet');
  commit(copy);
  return copy;
}

function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@shop.example', '-c', 'core.autocrlf=false'];
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

function commit(folder: string) {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'All');
}

/** Runs `npm run release -- version` where no registry can be reached, with another command than `npm test`. */
async function release(folder: string, version: string, testCommand = 'node --version') {
  const env = {
    ...process.env,
    ORDERBEACON_RELEASE_TEST: testCommand,
    npm_config_registry: 'http://127.0.0.1:9',
  };
  const args = ['run', '--silent', 'release', ...(version ? ['--', version] : [])];
  const child = execFile('npm', args, { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

const hasGit = spawnSync('git', ['--version']).status === 0;

describe.skipIf(!hasGit)('a release', () => {
  let copy: string;
  let first: string;
  const read = (path: string) => readFileSync(join(copy, path), 'utf8');
  beforeAll(() => {
    copy = copyRepository();
    first = git(copy, 'rev-parse', 'HEAD');
  });
  afterEach(() => {
    git(copy, 'reset', '--quiet', '--hard', first);
    git(copy, 'clean', '--quiet', '-dffx', '--exclude', 'node_modules');
  });
  afterAll(() => rm(copy, { recursive: true }));

  it.each([
    ['no version', '', 'npm run release -- 1.2.3', () => {}],
    ['a version with a v', `v${next}`, 'npm run release -- 1.2.3', () => {}],
    ['the version that it has', current, `${current} is not newer than ${current}`, () => {}],
    ['an older version', '0.0.9', `0.0.9 is not newer than ${current}`, () => {}],
    [
      'a file that is not committed',
      next,
      'sdk/src/stray.ts',
      () => writeFileSync(join(copy, 'sdk/src/stray.ts'), ''),
    ],
    [
      'a changelog that tells of nothing new',
      next,
      'server/CHANGELOG.md has nothing under "## Unreleased"',
      () => {
        writeFileSync(
          join(copy, 'server/CHANGELOG.md'),
          '# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- All.\n',
        );
        commit(copy);
      },
    ],
    [
      'a tool of the build in another version than the lockfile’s',
      next,
      'node_modules/rollup is not installed as package-lock.json has it. Run: npm ci',
      () => {
        const lock = JSON.parse(read('package-lock.json'));
        lock.packages['node_modules/rollup'].version = '4.0.0';
        writeFileSync(join(copy, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
        commit(copy);
      },
    ],
  ])('is refused for %s, and nothing is changed', async (_why, version, message, prepare) => {
    prepare();
    const before = git(copy, 'status', '--porcelain');
    const { code, output } = await release(copy, version);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect(git(copy, 'status', '--porcelain')).toBe(before);
  });

  it('whose tests fail stops, and says how to get the tree back', async () => {
    // It is the tests that matter here: the build is a copy of what was built for this test.
    const manifest = JSON.parse(read('package.json'));
    for (const name of ['sdk', 'server']) {
      cpSync(join(root, name, 'dist'), join(copy, 'node_modules/.built', name), { recursive: true });
    }
    const copyBuilt = (name: string) =>
      `fs.cpSync('node_modules/.built/${name}', '${name}/dist', { recursive: true })`;
    manifest.scripts.build = `node -e "${copyBuilt('sdk')}; ${copyBuilt('server')}"`;
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    commit(copy);

    const { code, output } = await release(copy, next, 'node --no-such-option');
    expect([code, output]).toEqual([1, expect.stringContaining('The release stopped')]);
    expect(output).not.toContain('npm publish');
    const [, restore] = /brings the tree back: (.+)$/m.exec(output)!;
    expect(git(copy, 'status', '--porcelain')).not.toBe('');
    spawnSync('sh', ['-c', restore!], { cwd: copy });
    expect(git(copy, 'status', '--porcelain')).toBe('');
  });

  it('has its version everywhere, keeps the SDK’s files, packs with checksums, and leaves commit, tag and publishing', async () => {
    const head = git(copy, 'rev-parse', 'HEAD');
    mkdirSync(join(copy, 'sdk/dist'), { recursive: true });
    writeFileSync(join(copy, 'sdk/dist/left-over.js'), '');
    const { code, output } = await release(copy, next);
    expect([code, output]).toEqual([0, expect.stringContaining(`${next} is ready`)]);

    const lock = JSON.parse(read('package-lock.json'));
    expect(lock.version).toBe(next);
    for (const name of ['', 'sdk', 'server', 'e2e']) {
      for (const manifest of [JSON.parse(read(join(name, 'package.json'))), lock.packages[name]]) {
        const { version, dependencies, devDependencies } = manifest;
        const pins = Object.entries({ ...dependencies, ...devDependencies });
        const own = pins.filter(([pinned]) => pinned.startsWith('@orderbeacon/')).map(([, pin]) => pin);
        expect([name, version, ...own]).toEqual([name, next, ...own.map(() => next)]);
      }
    }
    const today = new RegExp(
      `^## ${next.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)\n\n- What is new in `,
      'm',
    );
    for (const name of ['sdk', 'server']) {
      expect(read(`${name}/CHANGELOG.md`)).toMatch(today);
      expect(read(`${name}/CHANGELOG.md`)).not.toContain('Unreleased');
    }

    const integrity = JSON.parse(read('sdk/released/integrity.json'));
    expect(integrity).toHaveProperty([`${earlier}/track.js`]);
    for (const file of ['track.js', 'debug.js']) {
      const bytes = readFileSync(join(copy, 'sdk/released', next, file));
      expect(bytes.equals(readFileSync(join(copy, 'sdk/dist', file)))).toBe(true);
      const hash = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
      expect(integrity[`${next}/${file}`]).toBe(hash);
    }
    expect(read(`sdk/released/${next}/debug.js`)).toContain(next);
    expect(read(`sdk/released/${next}/tag.html`)).toContain(
      `/sdk/${next}/track.js" data-team-id="team_…" integrity="${integrity[`${next}/track.js`]}"`,
    );

    const packed = ['sdk', 'server'].map((name) => `orderbeacon-${name}-${next}.tgz`);
    expect(readdirSync(join(copy, '.packages')).sort()).toEqual([
      'SHA256SUMS',
      ...packed,
      'package-lock.json',
    ]);
    for (const name of packed) {
      const bytes = readFileSync(join(copy, '.packages', name));
      const line = `${createHash('sha256').update(bytes).digest('hex')}  ${name}`;
      expect(read('.packages/SHA256SUMS')).toContain(line);
      expect(output).toContain(line);
      expect(output).toContain(`npm publish .packages/${name}`);
    }
    const { stdout } = spawnSync('tar', ['-tzf', join(copy, '.packages', packed[0]!)], {
      encoding: 'utf8',
    });
    expect(stdout).toContain(`package/released/${next}/track.js`);
    expect(stdout).toContain(`package/released/${earlier}/track.js`);
    expect(stdout).not.toContain('left-over');

    const { packages } = JSON.parse(read('.packages/package-lock.json'));
    expect(packages['node_modules/hono']).toEqual(lock.packages['node_modules/hono']);
    expect(
      Object.keys(packages).filter((path) => lock.packages[path].dev || lock.packages[path].link),
    ).toEqual([]);

    const checkTag = (tag: string) =>
      spawnSync(process.execPath, ['.config/release/checkTag.js', tag], { cwd: copy, encoding: 'utf8' });
    expect(checkTag(`v${next}`)).toMatchObject({ status: 0, stderr: '' });
    expect(checkTag(`v${current}`).stderr).toContain(`package.json has the version ${next}`);

    expect([git(copy, 'rev-parse', 'HEAD'), git(copy, 'tag')]).toEqual([head, '']);
    expect(git(copy, 'diff', '--cached', '--stat')).toBe('');
    commit(copy);
    expect((await release(copy, next)).output).toContain(`${next} is not newer than ${next}`);

    // Were the tests to build other bytes than those that were kept, this would tell the release to stop.
    const releasedFiles = pathToFileURL(join(root, '.config/release/releasedFiles.js')).href;
    const { findChangedFiles } = await import(/* @vite-ignore */ releasedFiles);
    expect(findChangedFiles(copy, next)).toEqual([]);
    appendFileSync(join(copy, 'sdk/dist/track.js'), '\n');
    expect(findChangedFiles(copy, next)).toEqual(['track.js']);
    expect(checkTag(`v${next}`).stderr).toContain('The build of track.js is not what');
  });
});
