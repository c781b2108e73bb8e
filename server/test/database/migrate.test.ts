import { expect, onTestFinished, test } from 'vitest';
import { connect, type Sql } from '../../src/database/connection/connect.js';
import { migrate, migrationWaits } from '../../src/database/migrate.js';
import {
  isMarked,
  type Migration,
  nameMigrations,
  ownMigrations,
  splitStatements,
} from '../../src/database/migrations.js';
import { readSchemaState } from '../../src/database/schemaState.js';
import { DatabaseError } from '../../src/values/errors.js';
import { createEmptyDatabase } from '../kit/database.js';
import { withDatabase } from '../kit/withDatabase.js';

/** Opens an empty database, and a second pool to it as another server has. */
async function openTwice(): Promise<{ sql: Sql; other: Sql }> {
  const database = await createEmptyDatabase();
  const other = connect(database.url, 2);
  onTestFinished(async () => {
    // A connection that was cut during a query ends only by its timeout.
    await other.end({ timeout: 1 });
    await database.close();
  });
  return { sql: database.sql, other };
}

const isMigrated = async (sql: Sql) => (await readSchemaState(sql)).missing.length === 0;

const first: Migration = { name: '000001_first', text: 'create table a (b int); insert into a values (1);' };
const second: Migration = { name: '000002_second', text: 'insert into a values (2);' };
const broken: Migration = {
  name: '000003_broken',
  text: 'insert into a values (3); insert into nowhere values (1);',
};

const index: Migration = {
  name: '000002_index',
  text: '-- orderbeacon: no transaction\ncreate index concurrently if not exists a_b on a (b);\n',
};

const indexesOf = (sql: Sql) => sql`
  select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
  where indrelid = 'a'::regclass`;

test('a new database gets every migration of this build, and a second run does nothing', async () => {
  const { sql } = await openTwice();
  expect(await isMigrated(sql)).toBe(false);
  expect(await migrate(sql)).toEqual(ownMigrations().map(({ name }) => name));
  expect(await isMigrated(sql)).toBe(true);
  expect(await migrate(sql)).toEqual([]);
  expect(await sql`select count(*)::int as installations from installation`).toEqual([{ installations: 1 }]);
});

test('a worker of a Citus cluster is refused, and the sentence names the coordinator', async () => {
  const { sql } = await openTwice();
  // The extension has this table on each node, in a schema that is always searched.
  await sql`create table pg_dist_local_group (groupid int not null)`;
  await sql`insert into pg_dist_local_group values (2)`;
  await expect(migrate(sql)).rejects.toThrow(
    'DATABASE_URL names a worker of a Citus cluster: name its coordinator.',
  );
  await sql`update pg_dist_local_group set groupid = 0`;
  expect(await migrate(sql)).toEqual(ownMigrations().map(({ name }) => name));
});

test('only what is missing is applied, in order', async () => {
  const { sql } = await openTwice();
  expect(await migrate(sql, [first])).toEqual(['000001_first']);
  expect(await migrate(sql, [first, second])).toEqual(['000002_second']);
  expect(await sql`select b from a order by b`).toEqual([{ b: 1 }, { b: 2 }]);
});

test('a migration that fails leaves nothing of itself, keeps those before it, and is named', async () => {
  const { sql } = await openTwice();
  const error = await migrate(sql, [first, broken]).catch((reason) => reason);
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error.message).toBe(
    'Migration 000003_broken failed and was undone: relation "nowhere" does not exist.',
  );
  expect(await sql`select b from a`).toEqual([{ b: 1 }]);
  expect(await migrate(sql, [first, second])).toEqual(['000002_second']);
});

test.each([
  ['set transaction read only; create table b ();', 'DATABASE_URL must name a primary'],
  ['set local search_path = nowhere; create table b ();', 'The search_path must name a schema that exists'],
  ['create table b (); create table b ();', 'Orderbeacon needs a database of its own'],
  // Only the owner may create tables: in PostgreSQL 15 and newer this is the default.
  ['do $$ begin raise insufficient_privilege; end $$;', 'The role of DATABASE_URL must own the database'],
])('a database in which "%s" fails gets the fix', async (text, fix) => {
  const { sql } = await openTwice();
  await expect(migrate(sql, [{ name: '000001_unfit', text }])).rejects.toThrow(
    new RegExp(`^Migration 000001_unfit failed and was undone: .*\\. ${fix}`),
  );
});

test('a new database in another encoding than UTF8 is refused, and stays empty', async () => {
  const { sql, url, close } = await createEmptyDatabase();
  onTestFinished(close);
  const [{ name }] = await sql<[{ name: string }]>`select current_database() || '_latin' as name`;
  await sql.unsafe(
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  );
  const latin = connect(withDatabase(url, name), 1);
  await expect(migrate(latin)).rejects.toThrow(
    "The database has the encoding LATIN1, and Orderbeacon needs UTF8: create database … encoding 'UTF8' template template0.",
  );
  expect(await latin`select from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0);
  await latin.end();
  await sql.unsafe(`drop database ${name}`);
});

test('writes go on while a migration waits for a table that a long reader holds', async () => {
  const { sql, other } = await openTwice();
  await migrate(sql, [first]);
  const reader = await sql.reserve();
  await reader.unsafe('begin; select from a');
  let isRefused = false;
  const adding = migrate(other, [first, { name: '000002_column', text: 'alter table a add column c int;' }], {
    waits: { ...migrationWaits, pauseMs: 100 },
    notify: (line) => {
      isRefused ||= line.includes('another session holds a lock');
    },
  });
  const written: number[] = [];
  for (let afterRefusal = 0; afterRefusal < 20; afterRefusal += isRefused ? 1 : 0) {
    const n = written.length + 10;
    await sql`insert into a (b) values (${n})`;
    written.push(n);
  }
  // The reader is still connected, and the table is unchanged.
  expect(await sql`select from pg_attribute where attrelid = 'a'::regclass and attname = 'c'`).toHaveLength(
    0,
  );
  await reader.unsafe('commit');
  reader.release();
  expect(await adding).toEqual(['000002_column']);
  const rows = await sql`select b, c from a where b >= 10 order by b`;
  expect(rows).toEqual(written.map((b) => ({ b, c: null })));
});

test('a migration that does not get its locks in time is given up in one line, and undone', async () => {
  const { sql, other } = await openTwice();
  await migrate(sql, [first]);
  const text = 'insert into a values (2); alter table a add column c int;';
  const waits = { lockTimeoutMs: 10, pauseMs: 10, tryForMs: 100 };
  await sql.begin(async (reader) => {
    await reader`select from a`;
    const error = await migrate(other, [{ name: '000002_column', text }], { waits }).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error.message).toMatch(
      /^Migration 000002_column was given up because another session holds a lock/,
    );
  });
  expect(await sql`select * from a`).toEqual([{ b: 1 }]);
  expect(await migrate(sql, [first, { name: '000002_column', text }])).toEqual(['000002_column']);
});

test('servers that start concurrently apply each migration once between them, and build an index beside writers', async () => {
  const { sql, other } = await openTwice();
  const notices: string[] = [];
  const notify = (line: string) => notices.push(line);
  const names = await Promise.all(
    [sql, other, sql, other].map((each) => migrate(each, [first, index, second], { notify })),
  );
  expect(names.flat().sort()).toEqual(['000001_first', '000002_index', '000002_second']);
  expect(await indexesOf(sql)).toEqual([{ name: 'a_b', isValid: true }]);
  // No waiting migration blocks the one that works.
  expect(notices.filter((line) => line.includes('holds a lock'))).toEqual([]);
});

test('a migration outside a transaction that died in the middle is completed by the next run', async () => {
  const { sql, other } = await openTwice();
  await migrate(sql, [first]);
  const old = await sql.reserve();
  // Each of its statements sees the data of its beginning, and the index waits for its end.
  await old.unsafe('begin isolation level repeatable read; select from a');
  const cut = migrate(other, [first, index]).catch((reason) => reason);
  const building = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%create index concurrently%' and pid <> pg_backend_pid()`;
  await expect.poll(building).toHaveLength(1);
  const [builder] = await building();
  await sql`select pg_terminate_backend(${builder!.pid})`;
  expect((await cut).message).toMatch(
    /^Migration 000002_index failed half-way and will start from its beginning/,
  );
  expect(await indexesOf(sql)).toEqual([{ name: 'a_b', isValid: false }]);
  expect(await sql`select from migration where name = '000002_index'`).toHaveLength(0);

  await old.unsafe('commit');
  old.release();
  expect(await migrate(other, [first, index])).toEqual(['000002_index']);
  expect(await indexesOf(sql)).toEqual([{ name: 'a_b', isValid: true }]);
  // The next user of the connection does not get the settings of the migration.
  const [setting] = await other`select current_setting('lock_timeout') as lock, count(*)::int as locks
    from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  expect(setting).toEqual({ lock: '0', locks: 0 });
});

test('a statement outside a transaction that fails is named, gives its lock back, and is run again', async () => {
  const { sql, other } = await openTwice();
  await migrate(sql, [first]);
  const text = `${index.text}\ninsert into missing values (1);\n`;
  const error = await migrate(other, [{ name: '000002_index', text }]).catch((reason) => reason);
  expect(error.message).toMatch(/^Migration 000002_index failed half-way.*"missing" does not exist\.$/);
  await sql`create table missing (b int)`;
  expect(await migrate(sql, [{ name: '000002_index', text }])).toEqual(['000002_index']);
  expect(await sql`select b from missing`).toEqual([{ b: 1 }]);
});

test('a step that breaks older servers is refused by a build that does not know it', async () => {
  const { sql } = await openTwice();
  const breaking = { name: '000009_breaking', text: '-- orderbeacon: breaks older servers\nselect 1;' };
  await migrate(sql, [first, breaking]);
  expect(await migrate(sql, [first, breaking])).toEqual([]);
  const refused = await migrate(sql, [first, second]).catch((reason) => reason);
  expect(refused).toBeInstanceOf(DatabaseError);
  expect(refused.message).toMatch(
    /^A newer Orderbeacon has changed the database \(000009_breaking\) [^\n]+$/,
  );
  expect(await sql`select b from a`).toEqual([{ b: 1 }]);
});

test('a marker counts at the top of a file alone, and one that does not exist is an error', () => {
  const marked = (text: string) => isMarked({ name: 'x', text }, 'no transaction');
  expect(marked('-- orderbeacon: no transaction\nselect 1;')).toBe(true);
  expect(marked('-- Why.\n\n--orderbeacon:  no transaction \n')).toBe(true);
  expect(marked('-- Why.\nselect 1;\n-- orderbeacon: no transaction\n')).toBe(false);
  expect(() => marked('-- orderbeacon: no transactions\n')).toThrow('unknown marker: no transactions');
});

test('statements end with a semicolon at the end of a line', () => {
  const text = "-- a; b\nselect ';', 1; -- one\n\n-- two\nselect\n  2;\n-- the end\n";
  expect(splitStatements(text).map((statement) => statement.trim())).toEqual([
    "-- a; b\nselect ';', 1",
    '-- two\nselect\n  2',
  ]);
});

test('thirty migrations are named by the first and the last, and a few by their names', () => {
  const names = Array.from({ length: 30 }, (_, n) => `${String(n + 1).padStart(6, '0')}_step`);
  expect(nameMigrations(names)).toBe('000001_step to 000030_step (30)');
  expect(nameMigrations(names.slice(0, 3))).toBe('000001_step, 000002_step, 000003_step');
});
