import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { built } from './built.js';
import { root } from './freshness.js';

/** A checkout in which nothing was built. */
function newCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-checkout-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const path of ['.config', 'package.json', 'package-lock.json', 'tsconfig.json', 'sdk', 'server']) {
    const isSource = (from: string) =>
      !/(^|\/)(dist(\.\d+)?|node_modules|test|bench\/dist)$/.test(relative(root, from));
    cpSync(root + path, join(folder, path), { recursive: true, filter: isSource });
  }
  symlinkSync(`${root}node_modules`, join(folder, 'node_modules'));
  return folder;
}

/** Gives a checkout the SDK that was built here: it then builds the server alone, which takes a tenth of the time. */
async function copySdk(folder: string): Promise<void> {
  await built('sdk');
  cpSync(`${root}sdk/dist`, join(folder, 'sdk/dist'), { recursive: true });
}

function node(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { child: child as ChildProcess, ended };
}

it('npm start tells of a wrong setting before it builds anything', async () => {
  const folder = newCheckout();
  const { code, output } = await node([`${folder}/.config/start.js`], { PORT: '99999' }).ended;
  expect([code, output]).toEqual([
    2,
    'orderbeacon: PORT is "99999", but must be a whole number from 0 to 65535.\n',
  ]);
  for (const workspace of ['sdk', 'server']) {
    expect(readdirSync(join(folder, workspace)).filter((name) => name.startsWith('dist'))).toEqual([]);
  }
});

it('after the build of npm start no compiler stays beside the server', async () => {
  const folder = newCheckout();
  await copySdk(folder);
  const database = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void database.close());
  await once(database, 'listening');
  const { port } = database.address() as AddressInfo;
  const { child, ended } = node([`${folder}/.config/start.js`], {
    PORT: '0',
    DATABASE_URL: `postgres://shop@127.0.0.1:${port}/shop`,
  });
  // The server asks for its database once everything is built.
  const [socket] = await Promise.race([once(database, 'connection'), ended.then(({ output }) => [output])]);
  expect(socket).toBeInstanceOf(Socket);
  onTestFinished(() => void socket.destroy());
  try {
    await expect.poll(() => programsOf(child.pid!)).toEqual([expect.stringContaining('start.js')]);
  } finally {
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
  }
});

/** Lists the programs of a process group that run. One that has ended is a zombie until somebody asks for its code. */
function programsOf(group: number): string[] {
  return execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid, state]) => pgid === String(group) && !state!.startsWith('Z'))
    .map(([, , ...words]) => words.join(' '));
}

it('a build that is killed counts for nothing, and a whole one for as long as its sources stay', async () => {
  const folder = newCheckout();
  const server = join(folder, 'server');
  const builds = () => readdirSync(server).filter((name) => name.startsWith('dist'));
  const build = (workspace = 'server') => node([`${folder}/.config/build.js`, workspace]);

  const killed = build();
  await expect.poll(builds, { interval: 10 }).toHaveLength(1);
  // The compilers that it started, too, as Ctrl-C does: they are of its process group.
  process.kill(-killed.child.pid!, 'SIGKILL');
  await killed.ended;
  expect(builds()).not.toContain('dist');

  expect(await build().ended).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Building server …\nBuilt server in [\d.]+ s\.\n$/),
  });
  expect(builds()).toEqual(['dist']);
  expect(existsSync(join(server, 'dist', 'cli.js'))).toBe(true);
  expect(await build().ended).toEqual({ code: 0, output: '' });

  writeFileSync(join(server, 'dist', 'stale.js'), '');
  appendFileSync(join(server, 'src', 'cli.ts'), '\nexport const broken = ;\n');
  const broken = await build().ended;
  expect([broken.code, broken.output]).toEqual([1, expect.stringContaining('cli.ts')]);
  // The last whole build stays in use, and stays stale.
  expect(builds()).toEqual(['dist']);
  expect(existsSync(join(server, 'dist', 'cli.js'))).toBe(true);

  cpSync(`${root}server/src/cli.ts`, join(server, 'src', 'cli.ts'));
  expect(await build().ended).toEqual({ code: 0, output: '' });
  appendFileSync(join(server, 'src', 'cli.ts'), '\n// A change.\n');
  expect((await build().ended).code).toBe(0);
  expect(readdirSync(join(server, 'dist'))).not.toContain('stale.js');

  appendFileSync(join(folder, 'sdk/src/index.ts'), '\nexport const broken = ;\n');
  const brokenSdk = await build('sdk').ended;
  expect([brokenSdk.code, brokenSdk.output]).toEqual([1, expect.stringContaining('index.ts')]);
  expect(readdirSync(join(folder, 'sdk')).filter((name) => name.startsWith('dist'))).toEqual([]);
});

it('a command of a build that is older than its sources does nothing and names the one that builds', async () => {
  const folder = newCheckout();
  await copySdk(folder);
  const orderbeacon = (...args: string[]) => node([`${folder}/server/bin/orderbeacon.js`, ...args]).ended;
  const { version } = JSON.parse(readFileSync(`${folder}/server/package.json`, 'utf8'));
  // The first command builds.
  expect((await orderbeacon('--version')).output).toMatch(
    new RegExp(`Built server.*\\n(.*\\n)*${version}\\n$`),
  );

  const refused = {
    code: 1,
    output:
      'orderbeacon: The sources have changed since the build, so nothing was done. Run: npm run build\n',
  };
  const edit = (path: string, change: (text: string) => string) => {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(folder, path), change(text));
    return () => writeFileSync(join(folder, path), text);
  };
  const migrations = 'server/src/database/migrations';
  const changes: Record<string, () => () => void> = {
    'in the SDK alone': () => edit('sdk/src/index.ts', (text) => `${text}\n// A change.\n`),
    'a migration more': () => {
      cpSync(join(folder, migrations, '000001_start.sql'), join(folder, migrations, '000999_more.sql'));
      return () => rmSync(join(folder, migrations, '000999_more.sql'));
    },
    'a file less': () => {
      cpSync(join(folder, 'server/src/cli.ts'), join(folder, 'cli.ts'));
      rmSync(join(folder, 'server/src/cli.ts'));
      return () => cpSync(join(folder, 'cli.ts'), join(folder, 'server/src/cli.ts'));
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    const undo = change();
    expect([what, await orderbeacon('--version')]).toEqual([what, refused]);
    undo();
    expect([what, (await orderbeacon('--version')).code]).toEqual([what, 0]);
  }
  edit('server/package.json', (text) => text.replace(`"version": "${version}"`, '"version": "99.0.0"'));
  for (const args of [['--version'], ['serve'], ['migrate'], ['team', 'list']])
    expect([args, await orderbeacon(...args)]).toEqual([args, refused]);
  expect((await node([`${folder}/.config/build.js`]).ended).code).toBe(0);

  // A package has no sources: the code says which release it is, whatever its manifest says.
  expect(await orderbeacon('--version')).toEqual({ code: 0, output: '99.0.0\n' });
  await rm(join(folder, '.config'), { recursive: true });
  edit('server/package.json', (text) => text.replace('99.0.0', '100.0.0'));
  expect(await orderbeacon('--version')).toEqual({ code: 0, output: '99.0.0\n' });
});
