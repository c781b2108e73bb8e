import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeUnknownSettings, readConfig } from '../../src/config.js';
import { rememberPublicUrl } from '../../src/database/installation.js';
import { ConfigError } from '../../src/values/errors.js';
import { decodeId } from '../../src/values/ids.js';
import { documentOf, runOrderbeacon } from '../kit/command.js';
import { createTestDatabase } from '../kit/database.js';
import { dataFolder } from '../kit/dataFolder.js';
import { startServerProcess } from '../kit/process.js';
import { test } from '../kit/shop.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

function settingsFile(text: string): string {
  const path = join(temporaryFolder(), 'orderbeacon.env');
  writeFileSync(path, text);
  return path;
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

it.each([
  ['PORT', '-1', '0 to 65535'],
  ['PORT', '65536', '0 to 65535'],
  ['PORT', '80.5', '0 to 65535'],
  ['PORT', '0x50', '0 to 65535'],
  ['PORT', '9'.repeat(400), '0 to 65535'],
  ['ORDERBEACON_RATE_LIMIT', '0', 'from 1, or off'],
  ['ORDERBEACON_RATE_LIMIT', '1e3', 'from 1, or off'],
  ['ORDERBEACON_RATE_LIMIT', '1000000000', 'from 1, or off'],
  ['ORDERBEACON_RATE_LIMIT', 'OFF', 'from 1, or off'],
  ['ORDERBEACON_TRUST_PROXY', '33', '0 to 32'],
  ['ORDERBEACON_TRUST_PROXY', 'true', '0 to 32'],
  ['ORDERBEACON_TRUST_PROXY', '127.0.0.1,proxy.example', 'addresses and networks such as'],
  ['ORDERBEACON_TRUST_PROXY', '10.0.0.0/33', 'addresses and networks such as'],
  ['ORDERBEACON_TRUST_PROXY', '0.0.0.0/0', 'addresses and networks such as'],
  ['LOG_LEVEL', 'DEBUG', 'trace, debug, info, warn, error, silent'],
  ['ORDERBEACON_DEMO', 'true', 'on or off'],
  ['ORDERBEACON_FEATURES', 'overview;refused', 'none, or names of features such as overview,refused'],
  ['ORDERBEACON_METRICS_TOKEN', 'x'.repeat(15), '16 or more characters'],
  ['PUBLIC_URL', 'orders.shop.example', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'ftp://orders.shop.example', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'https://orders.shop.example/?a=b', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'https://orders.shop.example/#top', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'https://ann:pass@orders.shop.example', 'without user name, password, ? and #'],
  ['PUBLIC_URL', '"https://orders.shop.example"', 'leave them out'],
  ['HOST', "'0.0.0.0'", 'leave them out'],
  ['ORDERBEACON_DATA_DIR', '"/srv/orders"', 'leave them out'],
  ['ORDERBEACON_DATA_DIR', '~/orders', 'a whole path'],
  ['ORDERBEACON_METRICS_TOKEN', `"${'x'.repeat(16)}"`, 'leave them out'],
  ['ORDERBEACON_ENV_FILE', '"/etc/orderbeacon.env"', 'leave them out'],
  ['DATABASE_URL', 'localhost:5432/shop', 'postgres://'],
])('%s of %j is refused with what it may be', (name, value, expected) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^${name} `));
  expect(read).toThrow(expected);
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
    ['an empty value, as in the environment', 'PORT=\nDATABASE_URL=\nHOST=""\n', {}],
    ['tabs', '\tPORT\t=\t81\t\nHOST=\t::\n', { port: 81, host: '::' }],
    ['a space of a web page before a name', '\u00a0PORT=81\n', { port: 81 }],
    ['export', 'export PORT="81"\r\n', { port: 81 }],
  ])('may have %s', (_, text, expected) => {
    const defaults = { port: 8787, host: '127.0.0.1', databaseUrl: null };
    const config = readConfig({ ORDERBEACON_ENV_FILE: settingsFile(text) });
    expect(config).toMatchObject({ ...defaults, ...expected });
  });

  it.each([
    ['export\tPORT=81', /^Each line of /],
    ['PORT', /^Each line of .*orderbeacon\.env must be like PORT=8787, or begin with #\.$/],
    ['; a comment', /^Each line of /],
    ['PORT="1', /^PORT is ""1", but must be/],
    ['PORT=secret', /^PORT is "secret"/],
    ['ORDERBEACON_DATA_DIR=data', /ORDERBEACON_DATA_DIR in .*orderbeacon\.env must be a whole path/],
  ])('is refused with %j in its second line', (line, message) => {
    const path = settingsFile(`LOG_LEVEL=info\n${line}\nHOST=0.0.0.0\n`);
    expect(() => readConfig({ ORDERBEACON_ENV_FILE: path })).toThrow(message);
  });

  test('serves the server and a command in another folder alike, and its password is in no output', async ({
    server,
  }) => {
    const url = new URL(server.env.DATABASE_URL!);
    url.password = 'pa55word';
    const path = settingsFile(`DATABASE_URL=${url.href}\nPUBLIC_URL=https://orders.shop.example\n`);
    const made = await runOrderbeacon(['team', 'create', '--name', 'Shop'], { ORDERBEACON_ENV_FILE: path });
    expect(made.stdout).toContain('product links start with https://orders.shop.example');
    expect(made.stderr).toMatch(/^Used the database of DATABASE_URL \(test_\w+ on .+\)\.\n$/);
    expect(JSON.stringify(made)).not.toContain('pa55word');
    const uuid = decodeId('team', /team_\w{26}/.exec(made.stdout)![0])!;
    expect(await server.sql`select name from team where id = ${uuid}`).toEqual([{ name: 'Shop' }]);
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

it('serve says an unknown setting in a line on stderr first, and other variables are none of ours', async () => {
  const { stderr } = await runOrderbeacon(['serve'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    ORDERBEACON_SPEED: '1',
    POSTGRES_URL: '',
    ORDERBEACON_PORT: 'tcp://10.0.0.1:80',
  });
  expect(stderr.split('\n').map((line) => line.slice(0, 70))).toEqual([
    'orderbeacon: ORDERBEACON_SPEED is no setting and is ignored. See the s',
    expect.stringMatching(/^orderbeacon: Cannot use the database of DATABASE_URL/),
    '',
  ]);
});

test('commands say an unknown setting on stderr, and the database that they use all the same', async ({
  server,
}) => {
  const env = { ...server.env, ORDERBEACON_DATABASE_URL: 'postgres://db/orders' };
  const named =
    'orderbeacon: ORDERBEACON_DATABASE_URL is no setting and is ignored. See the settings in guides/settings.md.';
  const { stderr } = await runOrderbeacon(['team', 'list'], env);
  expect(stderr.split('\n')).toEqual([named, expect.stringMatching(/^Used the database /), '']);
  for (const args of [['team', 'list'], ['doctor'], ['migrate']]) {
    const { stdout, stderr } = await runOrderbeacon([...args, '--json'], env);
    expect([args, stderr]).toEqual([args, `${named}\n`]);
    expect(() => JSON.parse(stdout)).not.toThrow();
  }
});

describe('a command without the server’s settings', () => {
  it('takes the public URL of the server that started last on its database, and that says apart where it is bound', {
    tags: ['all'],
  }, async () => {
    const { sql, env, close } = await createTestDatabase();
    onTestFinished(close);
    const create = async (more = {}) =>
      documentOf(await runOrderbeacon(['team', 'create', '--name', 'Shop', '--json'], { ...env, ...more }));
    expect(await create()).toMatchObject({ storefrontUrl: 'http://127.0.0.1:8787' });
    await rememberPublicUrl(sql, 'https://earlier.example');
    expect(await create()).toMatchObject({ storefrontUrl: 'https://earlier.example' });
    const PUBLIC_URL = 'https://orders.shop.example';
    const server = await startServerProcess({ ...env, HOST: '0.0.0.0', PUBLIC_URL });
    expect(server.output()).toMatch(
      /listens on http:\/\/0\.0\.0\.0:\d+ \(for browsers: https:\/\/orders\.shop\.example\)$/m,
    );
    server.signal('SIGTERM');
    await server.ended;
    expect(server.output()).not.toContain('has no shop yet');
    const { id, storefrontUrl } = await create();
    expect(storefrontUrl).toBe('https://orders.shop.example');
    const tag = await runOrderbeacon(['tag', '--team', id], env);
    expect(tag.stdout).toContain('src="https://orders.shop.example/sdk/track.js"');
    const link = await runOrderbeacon(['console', '--team', id], env);
    expect(link.stdout).toContain('https://orders.shop.example/console/sign-in#');
    const other = await create({ PUBLIC_URL: 'https://other.example' });
    expect(other).toMatchObject({ storefrontUrl: 'https://other.example' });
  });

  it('says on stderr which database it used, and with --json nothing but the document', async () => {
    const folder = await dataFolder('migrated');
    const env = { ORDERBEACON_DATA_DIR: folder };
    const shown = await runOrderbeacon(['team', 'list'], env);
    expect(shown).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^None yet\. /),
      stderr: `Used the database in ${folder}.\n`,
    });
    expect(documentOf(await runOrderbeacon(['team', 'list', '--json'], env))).toEqual([]);
  });
});
