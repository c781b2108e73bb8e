import { expect, onTestFinished, test } from 'vitest';
import { connect, type Sql } from '../src/database/connect.js';
import { migrate } from '../src/database/migrate.js';
import type { Migration } from '../src/database/migrations.js';
import { readSchemaState } from '../src/database/schemaState.js';
import { DatabaseError } from '../src/errors.js';
import { createTestDatabase } from './database.js';

/** A database with nothing in it, and a second pool to it as another server would have. */
async function createEmptyDatabase(): Promise<{ sql: Sql; other: Sql }> {
  const database = await createTestDatabase();
  await database.sql`drop schema public cascade`;
  await database.sql`create schema public`;
  const other = connect(database.url, 2);
  onTestFinished(async () => {
    await other.end();
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

test('a new database gets every migration of this build, and a second run does nothing', async () => {
  const { sql } = await createEmptyDatabase();
  expect(await isMigrated(sql)).toBe(false);
  expect(await migrate(sql)).toContain('000001_start');
  expect(await isMigrated(sql)).toBe(true);
  expect(await migrate(sql)).toEqual([]);
  expect(await sql`select count(*)::int as installations from installation`).toEqual([{ installations: 1 }]);
});

test('only what is missing is applied, in order', async () => {
  const { sql } = await createEmptyDatabase();
  expect(await migrate(sql, [first])).toEqual(['000001_first']);
  expect(await migrate(sql, [first, second])).toEqual(['000002_second']);
  expect(await sql`select b from a order by b`).toEqual([{ b: 1 }, { b: 2 }]);
});

test('servers that start at once apply each migration once between them', async () => {
  const { sql, other } = await createEmptyDatabase();
  const names = await Promise.all([sql, other, sql, other].map((each) => migrate(each, [first, second])));
  expect(names.flat().sort()).toEqual(['000001_first', '000002_second']);
  expect(await sql`select b from a order by b`).toEqual([{ b: 1 }, { b: 2 }]);
});

test('a migration that fails leaves nothing of itself, keeps those before it, and is named', async () => {
  const { sql } = await createEmptyDatabase();
  const error = await migrate(sql, [first, broken]).catch((reason) => reason);
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error.message).toBe(
    'Migration 000003_broken failed and was undone: relation "nowhere" does not exist.',
  );
  expect(await sql`select b from a`).toEqual([{ b: 1 }]);
  expect(await migrate(sql, [first, second])).toEqual(['000002_second']);
});

test('a database that a newer build has migrated further counts as migrated', async () => {
  const { sql } = await createEmptyDatabase();
  await migrate(sql);
  await migrate(sql, [{ name: '999999_of_tomorrow', text: 'select 1' }]);
  expect(await isMigrated(sql)).toBe(true);
});

test('each test database is its own', async () => {
  const { sql } = await createEmptyDatabase();
  const neighbour = await createTestDatabase();
  onTestFinished(() => neighbour.close());
  await sql`create table mine (one int)`;
  expect(await neighbour.sql`select to_regclass('mine') as found`).toEqual([{ found: null }]);
  expect(await isMigrated(neighbour.sql)).toBe(true);
});
