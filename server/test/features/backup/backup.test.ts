// @module-tag slow
import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { it as anywhere, describe, expect, inject, onTestFinished, vi } from 'vitest';
import { createSequence } from '../../../src/core/people/sql/sequence.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { ownMigrations } from '../../../src/database/migrations.js';
import { tables } from '../../../src/database/tables.js';
import { openBackup } from '../../../src/features/backup/backupRead.js';
import { restoreBackup } from '../../../src/features/backup/backupRestore.js';
import { copyRows } from '../../../src/features/backup/rows.js';
import { writeGzipFile } from '../../../src/features/backup/writeGzip.js';
import { newUuid } from '../../../src/values/ids.js';
import { documentOf, runOrderbeacon } from '../../kit/command.js';
import { createEmptyDatabase, createTestDatabase } from '../../kit/database.js';
import { exampleOf, readCrontab } from '../../kit/examples.js';
import { executable, startServerProcess } from '../../kit/process.js';
import { sendTo, startServerForTest } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';
import { tableContents } from './tableContents.js';

// Distributed tables cannot be backed up.
const it = anywhere.skipIf(inject('isCitus'));

/** Runs a subcommand with `--json`, expects success, and parses its output. */
const json = async (env: Record<string, string>, args: string[], input = '') =>
  documentOf(await runOrderbeacon([...args, '--json'], env, input));

/** Opens a migrated database without a team. */
async function createVacantDatabase() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** Opens a database with one team. */
async function createShopDatabase(name = 'Shop') {
  const database = await createVacantDatabase();
  const team = newUuid();
  await createTeam(database.sql, { id: team, name, storefrontUrl: 'https://shop.example' });
  return { ...database, team };
}

/** Backs up a database with one team, which is not in use. Returns the file. */
async function backUpShop() {
  const source = await createShopDatabase();
  await source.sql.end();
  const file = join(temporaryFolder(), 'backup.gz');
  await json(source.env, ['backup', file]);
  return { file, url: source.url };
}

it('backup - writes to stdout what restore takes, and says the rest on stderr', {
  tags: ['all'],
}, async () => {
  const folder = temporaryFolder();
  const source = await createShopDatabase();
  await source.sql.end();
  const command = `"${process.execPath}" bin/orderbeacon.js backup -`;
  const run = (line: string) =>
    promisify(execFile)('bash', ['-c', `set -o pipefail; ${line}`], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      env: { PATH: process.env.PATH, ...source.env },
    });
  const { stdout, stderr } = await run(`${command} > "${folder}/backup.gz"`);
  expect([stdout, stderr]).toEqual([
    '',
    expect.stringMatching(/^Wrote \d+ rows, \d+ bytes, into stdout\.$/m),
  ]);
  const target = await createVacantDatabase();
  await json(target.env, ['restore', join(folder, 'backup.gz')]);
  expect(await tableContents(target.url)).toEqual(await tableContents(source.url));

  // If the reader ends early it has half a backup, which must not count as one.
  const cut = await run(`${command} | sleep 0`).catch((error) => error);
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('Cannot write the output: EPIPE')]);
  // The file may grow to 1,024 bytes, as on a disk with little room.
  const short = await run(`ulimit -f 1; ${command} > "${folder}/short.gz"`).catch((error) => error);
  expect([short.code, short.stderr]).toEqual([
    2,
    expect.stringContaining('Cannot write the output: EFBIG. Remove it: it is no backup.'),
  ]);
  const both = await runOrderbeacon(['backup', '-', '--json'], source.env);
  expect([both.code, both.stdout]).toEqual([2, '']);
});

it('a backup of a running server, restored into a new data folder, brings everything back', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'backup.gz');
  const server = await startServerForTest();
  const shop = await openShop(server);
  const { data } = (await shop.reportByKey({ orderId: '1001' })).body;
  const listAll = async (env: Record<string, string>) => [
    await json(env, ['team', 'list']),
    await json(env, ['key', 'list', '--team', shop.teamId]),
    await json(env, ['order', 'list', '--team', shop.teamId]),
  ];
  const before = await listAll(server.env);
  const backup = await json(server.env, ['backup', file]);
  expect(backup).toEqual({ file, bytes: statSync(file).size, rows: expect.any(Object) });
  expect(backup.rows).toMatchObject({ installation: 1, team: 1, placed_order: 1, person: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['backup.gz']);

  const env = { ORDERBEACON_DATA_DIR: join(folder, 'data'), ORDERBEACON_DEMO: 'off' };
  expect(await json(env, ['restore', file])).toEqual({ file, rows: backup.rows });
  const restored = await startServerProcess(env);
  expect(await listAll(env)).toEqual(before);
  const report = async (orderId: string) => {
    const answer = await sendTo(new URL('/svc-api/v1/orders', restored.url), 'POST', {
      headers: { authorization: `Bearer ${await shop.liveKey()}`, 'content-type': 'application/json' },
      body: JSON.stringify(shop.order({ orderId })),
    });
    return answer.body.data;
  };
  expect(await report('1001')).toEqual({ ...data, isNew: false });
  expect(await report('1002')).toMatchObject({ isNew: true, peopleId: data.peopleId });
});

/** Reads the arguments of an example of the operator's guide, with its file in `folder`. */
function guideArgs(name: string, folder: string): string[] {
  const [, args] = /^node_modules\/\.bin\/orderbeacon (.+)$/.exec(
    exampleOf('server/guides/backup.md', name),
  )!;
  return args!.replace('orderbeacon.gz', join(folder, 'orderbeacon.gz')).split(' ');
}

it('the guide’s backup and restore commands bring every value back byte for byte', async () => {
  const source = await createTestDatabase();
  onTestFinished(() => source.close());
  const { sql } = source;
  const team = newUuid();
  const odd = ' "a\\b\\n" \n\r\t\u0001\u0002\u2028,\u0085|{} \\. É😀';
  await createTeam(sql, { id: team, name: odd, storefrontUrl: 'https://shop.example' });
  await sql`insert into person (team_id, id, email) values (${team}, ${team}, ${odd})`;
  const items = '[ {"a":1.0,"a":1e400,"é":"\\u00e9\\n"},\t"x  y" ]';
  await sql`insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source,
      items, is_test, reported_by, created_at)
    values (${team}, ${team}, 'ORD-1', ${team}, ${odd}, ${'0.10000000000000000000001'}, 'USD', 'OTHER',
      ${items}::text::json, true, 'key', '2026-05-01T00:00:00.123+02')`;
  // More rows than one statement inserts.
  await sql`insert into person (team_id, id, email) select ${team}, gen_random_uuid(), n::text from generate_series(1, 2500) n`;
  await sql.end();
  const target = await createVacantDatabase();
  const folder = temporaryFolder();
  const { rows } = await json(source.env, guideArgs('backup', folder));
  expect(rows).toMatchObject({ team: 1, person: 2501, placed_order: 1 });
  await json(target.env, guideArgs('restore', folder));
  expect(await tableContents(target.url)).toEqual(await tableContents(source.url));
});

it('the guide’s nightly backup makes its file with Node in /usr/local/bin, as cron runs it', {
  tags: ['all'],
}, async () => {
  const { url, sql } = await createShopDatabase();
  await sql.end();
  const root = temporaryFolder();
  const inRoot = (text: string) =>
    text
      .replaceAll(/(?<=^|[ ="])\/(?=usr\/local|opt|etc|var)/g, `${root}/`)
      .replace(' --owner orderbeacon', '');
  for (const folder of ['etc', 'usr/local/bin', 'opt/orderbeacon/node_modules/.bin'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'etc/orderbeacon.env'), `DATABASE_URL=${url}\n`);
  symlinkSync(process.execPath, join(root, 'usr/local/bin/node'));
  symlinkSync(executable, join(root, 'opt/orderbeacon/node_modules/.bin/orderbeacon'));

  const guide = 'server/guides/backup.md';
  const { path, command } = readCrontab(exampleOf(guide, 'nightly-backup'));
  expect(path).toMatch(/^\/usr\/local\/bin:/);
  const run = (line: string) =>
    promisify(execFile)('/bin/sh', ['-c', inRoot(line)], { env: { PATH: inRoot(path!) } });
  const backups = join(root, 'var/backups/orderbeacon');
  await run(exampleOf(guide, 'backup-folder'));
  const [old, killed, recent] = ['2026-01-01.gz', '2026-01-02.gz.x.partial', '2026-01-03.gz'];
  for (const [name, days] of [
    [old!, 40],
    [killed!, 40],
    [recent!, 20],
  ] as const) {
    writeFileSync(join(backups, name), '');
    const at = Date.now() / 1000 - days * 86_400;
    utimesSync(join(backups, name), at, at);
  }
  // cron sends every output by mail.
  expect(await run(command!)).toEqual({ stdout: '', stderr: '' });
  const kept = readdirSync(backups).sort();
  expect(kept).toEqual([recent, expect.stringMatching(/^\d{4}-\d\d-\d\d\.gz$/)]);
  // Today's file exists already, so the command fails and removes nothing.
  utimesSync(join(backups, recent!), 0, 0);
  await expect(run(command!)).rejects.toMatchObject({ stderr: expect.stringContaining('exists') });
  expect(readdirSync(backups).sort()).toEqual(kept);
});

it('the time of the last complete backup is in the metrics of every server', async () => {
  const server = await startServerForTest();
  await server.addTeam('shop.example');
  const lastBackup = async () => {
    const { text } = await sendTo(new URL('/metrics', server.bindUrl), 'GET');
    return Number(/^orderbeacon_last_backup_timestamp_seconds (\S+)$/m.exec(text)![1]);
  };
  expect(await lastBackup()).toBe(0);
  await json(server.env, ['backup', join(temporaryFolder(), 'backup.gz')]);
  expect(await lastBackup()).toBeCloseTo(Date.now() / 1000, -3);
});

it('a backup is of one moment: rows stored while it is written are not in it', async () => {
  const { sql, env, team } = await createShopDatabase('Before');
  const file = join(temporaryFolder(), 'backup.gz');
  const { backingUp } = await sql.begin(async (transaction) => {
    await transaction`lock table api_key in access exclusive mode`;
    const running = json(env, ['backup', file]);
    await expect
      .poll(
        () => sql`select from pg_locks where not granted and relation = 'api_key'::regclass
          and database = (select oid from pg_database where datname = current_database())`,
        { timeout: 30_000 },
      )
      .toHaveLength(1);
    // Sequences are read after keys.
    await createSequence(transaction as unknown as Sql, team, { id: newUuid(), name: 'Meanwhile' });
    return { backingUp: running };
  });
  await backingUp;
  const text = gunzipSync(readFileSync(file)).toString();
  expect(text).toContain('"Before"');
  expect(text).not.toContain('"Meanwhile"');
});

it('every table of the schema has its place in a backup or is left out by name, after those that its foreign keys name', async () => {
  const { sql } = await createVacantDatabase();
  const all = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')`;
  expect([...tables, 'migration'].sort()).toEqual(all.map(({ name }) => name).sort());
  const references = await sql<{ from: (typeof tables)[number]; to: (typeof tables)[number] }[]>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and conrelid::regclass::text in ${sql([...tables])}`;
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter(({ from, to }) => tables.indexOf(from) <= tables.indexOf(to))).toEqual([]);
});

describe('restore is refused in one line and leaves the database unchanged', () => {
  let made: Buffer | undefined;
  const backup = async () => (made ??= readFileSync((await backUpShop()).file));

  /** Restores a file of these bytes, which must fail with one line. Resolves with the line. */
  async function refuse(bytes: Buffer, { env }: { env: Record<string, string> }): Promise<string> {
    const file = join(temporaryFolder(), 'backup.gz');
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await runOrderbeacon(['restore', file], env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^orderbeacon: [^\n]+\n$/);
    return stderr;
  }
  it('whatever the file lacks or holds that a backup does not', async () => {
    const whole = await backup();
    const changed = (change: (text: string) => string) => gzipSync(change(gunzipSync(whole).toString()));
    const flipped = Buffer.from(whole);
    flipped[whole.length - 6]! ^= 1;
    const target = await createVacantDatabase();
    await target.sql.end();
    const before = await tableContents(target.url);
    const files: [string, Buffer, RegExp][] = [
      ['without its last byte', whole.subarray(0, -1), /not a complete gzip file|can read/],
      ['without its last bytes', whole.subarray(0, -60), /not a complete gzip file|can read/],
      ['a half', whole.subarray(0, whole.length >> 1), /not a complete gzip file|can read/],
      ['without its last line', changed((text) => text.replace(/[^\n]+\n$/, '')), /damaged or incomplete/],
      [
        'without its last tables',
        changed((text) => text.slice(0, text.indexOf('"placed_order"\n'))),
        /damaged or incomplete/,
      ],
      ['with a flipped bit', flipped, /not a complete gzip file/],
      [
        'of an unknown table',
        changed((text) => text.replace('"api_key"\n', '"pg_authid"\n')),
        /damaged or incomplete/,
      ],
      ['a text', Buffer.from('create table team'), /not a complete gzip file/],
      ['another file', gzipSync('{}\n'), /not a backup/],
      [
        'of a newer release',
        changed((text) => text.replace('"000001_schema"', '"000001_schema","999999_of_tomorrow"')),
        /newer than this release.*999999_of_tomorrow/,
      ],
    ];
    for (const [what, bytes, line] of files) expect(await refuse(bytes, target), what).toMatch(line);
    expect(await tableContents(target.url)).toEqual(before);
    const { code, stderr } = await runOrderbeacon(['restore', '/no/such/file'], target.env);
    expect([code, stderr]).toEqual([2, 'orderbeacon: Cannot read /no/such/file: ENOENT.\n']);
  });

  it.each<[string, (sql: Sql) => Promise<unknown>, RegExp]>([
    [
      'has a team',
      (sql) => createTeam(sql, { id: newUuid(), name: 'Other', storefrontUrl: 'https://shop.example' }),
      /already has a team/,
    ],
    [
      'is newer than the file',
      (sql) => sql`insert into migration (name) values ('999999_of_tomorrow')`,
      /older than this database.*999999_of_tomorrow/,
    ],
  ])('when the database %s', async (_, prepare, line) => {
    const target = await createVacantDatabase();
    await prepare(target.sql);
    await target.sql.end();
    const before = await tableContents(target.url);
    expect(await refuse(await backup(), target)).toMatch(line);
    expect(await tableContents(target.url)).toEqual(before);
  });

  it('when a server runs on the database', async () => {
    const server = await startServerForTest();
    expect(await refuse(await backup(), server)).toMatch(/has this database open/);
    expect((await tableContents(server.env.DATABASE_URL!)).team).toEqual([]);
  });

  it('when a server runs there whose DATABASE_URL names the application', { tags: ['all'] }, async () => {
    const { sql, url } = await createVacantDatabase();
    await sql.end();
    const named = new URL(url);
    named.searchParams.set('application_name', 'shop');
    await startServerForTest({ databaseUrl: named.href });
    expect(await refuse(await backup(), { env: { DATABASE_URL: named.href } })).toMatch(
      /has this database open/,
    );
  });
});

it('two backups of one name are both whole, and the file is that of the last one', {
  tags: ['all'],
}, async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'b.gz');
  const gate = new EventEmitter();
  async function* pieces(name: string) {
    yield Buffer.from(`${name} begins. `);
    gate.emit(`${name} has begun`);
    await once(gate, `${name} may end`);
    yield Buffer.from('The end.');
  }
  const hasBegun = (name: string) => once(gate, `${name} has begun`);
  const begun = Promise.all([hasBegun('First'), hasBegun('Second')]);
  const first = writeGzipFile(path, pieces('First'));
  const second = writeGzipFile(path, pieces('Second'));
  await begun;
  for (const [name, written] of [
    ['First', first],
    ['Second', second],
  ] as const) {
    gate.emit(`${name} may end`);
    await written;
    expect(gunzipSync(readFileSync(path)).toString()).toBe(`${name} begins. The end.`);
  }
  expect(readdirSync(folder)).toEqual(['b.gz']);
});

it('a backup of an older release is restored into a new database and then migrated', async () => {
  const { file } = await backUpShop();
  const { sql, close } = await createEmptyDatabase();
  onTestFinished(close);
  const since = { name: '999999_of_tomorrow', text: "update team set name = name || ', migrated'" };
  await restoreBackup(sql, await openBackup(file), () => {}, [...ownMigrations(), since]);
  expect(await sql`select name from team`).toEqual([{ name: 'Shop, migrated' }]);
});

it('backup never overwrites a file, and names a file that it cannot create', async () => {
  const { sql, env } = await createShopDatabase();
  await sql.end();
  const folder = temporaryFolder();
  const file = join(folder, 'backup.gz');
  writeFileSync(file, 'precious');
  const existing = await runOrderbeacon(['backup', file], env);
  expect([existing.code, existing.stderr]).toEqual([2, expect.stringContaining(`${file} exists`)]);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  const nowhere = await runOrderbeacon(['backup', join(folder, 'none', 'b.gz')], env);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching(/Cannot write .*ENOENT/)]);
  expect(readdirSync(folder)).toEqual(['backup.gz']);
});

it('a database without a team, as a wrong setting finds it, is not backed up', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'backup.gz');
  const { code, stderr } = await runOrderbeacon(['backup', file], (await createVacantDatabase()).env);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^orderbeacon: This database has no team[^\n]+\n$/),
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

// The error of row 1 comes in the packet in which the answer begins. That of row 500 comes after 60 kB. postgres.js reads 16 kB
// of those before it waits.
it.each([1, 500])(
  'an error of PostgreSQL in row %i of rows that are read slowly is thrown, and the connection can be used again',
  async (row) => {
    const { sql } = await createVacantDatabase();
    const reading = sql.begin(async (transaction) => {
      const tx = transaction as unknown as Sql;
      // A temporary view is found before the table.
      await tx.unsafe(`create temp view person as
        select repeat('x', 90) as filler, 1 / (${row} - n) as divided from generate_series(1, 500) n`);
      for await (const _ of await copyRows(tx, 'person')) await setTimeout(50);
    });
    await expect(reading).rejects.toMatchObject({ code: '22012' });
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  },
);

it('rows that are read in part are given up, and the connection can be used again', async () => {
  const { sql } = await createVacantDatabase();
  await sql.begin(async (transaction) => {
    const tx = transaction as unknown as Sql;
    await tx.unsafe(`create temp view person as
      select repeat('x', 9000) as filler from generate_series(1, 500)`);
    for await (const _ of await copyRows(tx, 'person')) break;
    expect(await tx`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

it('a backup takes longer than the database lets other statements take', { tags: ['all'] }, async () => {
  const { sql, url, env } = await createShopDatabase();
  const database = new URL(url).pathname.slice(1);
  await sql`alter database ${sql(database)} set statement_timeout = 1000`;
  const file = join(temporaryFolder(), 'backup.gz');
  const [, backup] = await Promise.all([
    // The backup waits longer for this table.
    sql.begin(async (tx) => {
      await tx`lock table person in access exclusive mode`;
      await setTimeout(2_500);
    }),
    runOrderbeacon(['backup', file], env),
  ]);
  expect([backup.code, backup.stderr]).toEqual([0, expect.stringContaining('Used ')]);
});

it('a backup that does not fit on the disk ends with one line and leaves no file', {
  tags: ['all'],
}, async () => {
  const { sql, env, team } = await createShopDatabase();
  await sql`insert into person (team_id, id, email)
    select ${team}, gen_random_uuid(), gen_random_uuid()::text from generate_series(1, 50000)`;
  await sql.end();
  const folder = temporaryFolder();
  // A limit of 100 blocks per file acts like a full disk, for this process only.
  const script = `ulimit -f 100; exec "${process.execPath}" "${executable}" backup "${join(folder, 'backup.gz')}"`;
  const failure = await promisify(execFile)('sh', ['-c', script], { env }).catch((error) => error);
  expect(failure).toMatchObject({
    code: 2,
    stderr: `orderbeacon: Cannot write ${join(folder, 'backup.gz')}: EFBIG.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('a backup that a signal ends leaves no file under its name, and the next one takes its place', {
  tags: ['all'],
}, async () => {
  const { sql, env } = await createShopDatabase();
  const folder = temporaryFolder();
  await sql.begin(async (tx) => {
    // The backup waits for this table.
    await tx`lock table person in access exclusive mode`;
    const running = promisify(execFile)(process.execPath, [executable, 'backup', join(folder, 'b.gz')], {
      env,
    });
    const ended = running.catch((error) => error);
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1), { timeout: 20_000 });
    running.child.kill('SIGINT');
    expect(await ended).toMatchObject({ signal: 'SIGINT' });
  });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^b\.gz\..+\.partial$/)]);
  await json(env, ['backup', join(folder, 'b.gz')]);
  expect(readdirSync(folder)).toContain('b.gz');
});
