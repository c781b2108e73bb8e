import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeUnknownSettings, readConfig } from '../src/config.js';
import { connect } from '../src/database/connection/connect.js';
import { runOrderbeacon } from './command.js';
import { createTestDatabase } from './database.js';
import { dataFolder } from './dataFolder.js';
import { startServerProcess } from './process.js';
import { temporaryFolder } from './temporaryFolder.js';

function settingsFile(text: string): string {
  const path = join(temporaryFolder(), 'orderbeacon.env');
  writeFileSync(path, text);
  return path;
}

async function createDatabase() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

describe('DATABASE_URL', () => {
  it.each([
    'postgres://me:sec%ret@db/orders',
    'postgres://me:5/secret@db/orders',
    'postgres://me:5#secret@db/orders',
    'postgres://me:x/secret@db/orders',
    'postgres://me:x?secret@db/orders',
  ])(
    'with a password that is not percent-encoded, %s, is refused with the fix and without the password',
    (url) => {
      const read = () => readConfig({ DATABASE_URL: url });
      expect(read).toThrow(/^DATABASE_URL must be a URL such as .* In a password write %25 for %/);
      expect(read).not.toThrow(/secret|sec%ret/);
    },
  );

  it('may have an @ in a password and in a parameter', () => {
    for (const url of [
      'postgres://me:p@ss%25@db/orders',
      'postgres://me@db/orders?application_name=shop@host',
    ])
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

it.each([
  ['HTTPS://Orders.Shop.Example/', 'https://orders.shop.example'],
  ['https://orders.shop.example:443', 'https://orders.shop.example'],
  ['https://shop.example/orders//', 'https://shop.example/orders'],
  ['https://shop.example\\orders', 'https://shop.example/orders'],
  ['https://bücher.example/a "b"', 'https://xn--bcher-kva.example/a%20%22b%22'],
])('PUBLIC_URL, given as %s, is used as browsers write it: %s', (given, publicUrl) => {
  expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(publicUrl);
});

describe('the file of ORDERBEACON_ENV_FILE', () => {
  it('holds settings, which those of the environment replace', () => {
    const path = settingsFile("\uFEFF# a comment\r\n\r\nPORT=9000\r\nHOST='0.0.0.0'\r\n");
    expect(readConfig({ ORDERBEACON_ENV_FILE: path })).toMatchObject({ port: 9000, host: '0.0.0.0' });
    expect(readConfig({ ORDERBEACON_ENV_FILE: path, PORT: '9001' }).port).toBe(9001);
    expect(readConfig({ ORDERBEACON_ENV_FILE: path, PORT: '' }).port).toBe(9000);
    const token = 'x'.repeat(16);
    const quoted = settingsFile(`ORDERBEACON_METRICS_TOKEN="${token}#1"\n`);
    expect(readConfig({ ORDERBEACON_ENV_FILE: quoted }).metricsToken).toBe(`${token}#1`);
    const url = 'postgres://u:p=w%23d@db.example/name?sslmode=require';
    expect(readConfig({ ORDERBEACON_ENV_FILE: settingsFile(`DATABASE_URL="${url}"`) }).databaseUrl).toBe(url);
  });

  it.each([
    ['PORT', /^Each line of .*orderbeacon\.env must be like PORT=8787, or begin with #\.$/],
    ['; a comment', /^Each line of /],
    ['PORT="1', /^PORT is ""1", but must be/],
    ['PORT=secret', /^PORT is "secret"/],
    ['ORDERBEACON_DATA_DIR=data', /ORDERBEACON_DATA_DIR in .*orderbeacon\.env must be a whole path/],
  ])('is refused with %j in its second line', (line, message) => {
    const path = settingsFile(`LOG_LEVEL=info\n${line}\nHOST=0.0.0.0\n`);
    expect(() => readConfig({ ORDERBEACON_ENV_FILE: path })).toThrow(message);
  });

  it('serves the server and a command in another folder alike, and its password is in no output', async () => {
    const { url } = await createDatabase();
    const withPassword = new URL(url);
    withPassword.password = 'pa55word';
    const path = settingsFile(`DATABASE_URL=${withPassword.href}\nPUBLIC_URL=https://orders.shop.example\n`);
    const env = { ORDERBEACON_ENV_FILE: path };
    const made = await runOrderbeacon(['team', 'create', '--name', 'Shop'], env);
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringContaining('product links start with https://orders.shop.example'),
    ]);
    expect(made.stderr).toMatch(/^Used the database of DATABASE_URL \(test_\w+ on .+\)\.\n$/);
    expect(JSON.stringify(made)).not.toContain('pa55word');
    const sql = connect(url, 1);
    expect(await sql`select name from team`).toMatchObject([{ name: 'Shop' }]);
    await sql.end();
  });

  it('that is not there stops every command in one line', async () => {
    const env = { ORDERBEACON_ENV_FILE: '/nowhere/orderbeacon.env' };
    for (const args of [['serve'], ['team', 'list'], ['migrate']]) {
      expect(await runOrderbeacon(args, env)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'orderbeacon: ORDERBEACON_ENV_FILE is "/nowhere/orderbeacon.env", which cannot be read: ENOENT.\n',
      });
    }
  });
});

it('an unknown ORDERBEACON_ variable, in the environment or the file, is named', () => {
  for (const name of ['ORDERBEACON_RATELIMIT', 'orderbeacon_demo', 'ORDERBEACON_PORT']) {
    const line = `${name} is no setting and is ignored. See the settings in guides/settings.md.`;
    expect(describeUnknownSettings({ [name]: '1', PATH: '/bin', HOST: '::1' })).toEqual([line]);
    const path = settingsFile(`${name}=1\n`);
    expect(describeUnknownSettings({ ORDERBEACON_ENV_FILE: path })).toEqual([line]);
  }
});

it('an unknown setting is a line on stderr, and other variables are none of ours', async () => {
  const { env } = await createDatabase();
  const server = await startServerProcess({
    ...env,
    ORDERBEACON_SPEED: '1',
    POSTGRES_URL: '',
    ORDERBEACON_PORT: 'tcp://10.0.0.1:80',
  });
  server.signal('SIGTERM');
  expect((await server.ended).stderr).toBe(
    'orderbeacon: ORDERBEACON_SPEED is no setting and is ignored. See the settings in guides/settings.md.\n',
  );
});

describe('a command without the server’s settings', () => {
  it('takes the public URL of the server that started last on its database', async () => {
    const { env } = await createDatabase();
    const create = async (more = {}) => {
      const args = ['team', 'create', '--name', 'Shop', '--json'];
      return JSON.parse((await runOrderbeacon(args, { ...env, ...more })).stdout);
    };
    expect(await create()).toMatchObject({ storefrontUrl: 'http://127.0.0.1:8787' });
    const first = await startServerProcess(env);
    expect(first.url).not.toContain(':8787');
    expect(await create()).toMatchObject({ storefrontUrl: first.url });
    const server = await startServerProcess({ ...env, PUBLIC_URL: 'https://orders.shop.example' });
    const { id: teamId } = await create();
    server.signal('SIGTERM');
    await server.ended;
    expect(await create()).toMatchObject({ storefrontUrl: 'https://orders.shop.example' });
    const tag = await runOrderbeacon(['tag', '--team', teamId], env);
    expect(tag.stdout).toContain('src="https://orders.shop.example/sdk/track.js"');
    const link = await runOrderbeacon(['console', '--team', teamId], env);
    expect(link.stdout).toContain('https://orders.shop.example/console/sign-in#');
    const other = await create({ PUBLIC_URL: 'https://other.example' });
    expect(other).toMatchObject({ storefrontUrl: 'https://other.example' });
  });

  it('says on stderr which database it used, and with --json nothing but the document', async () => {
    const folder = await dataFolder('migrated');
    const env = { ORDERBEACON_DATA_DIR: folder };
    const shown = await runOrderbeacon(['team', 'list'], env);
    expect(shown).toEqual({ code: 0, stdout: 'None.\n', stderr: `Used the database in ${folder}.\n` });
    expect(await runOrderbeacon(['team', 'list', '--json'], env)).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });
});
