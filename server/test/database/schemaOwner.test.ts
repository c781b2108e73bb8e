// @module-tag all
// @module-tag slow
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTeam } from '../../src/core/teams/sql/team.js';
import { connect } from '../../src/database/connection/connect.js';
import { newUuid } from '../../src/values/ids.js';
import { runOrderbeacon } from '../kit/command.js';
import { createEmptyDatabase, createTestDatabase } from '../kit/database.js';
import { dataFolder } from '../kit/dataFolder.js';
import { runProcess, startServerProcess } from '../kit/process.js';
import { readiness } from '../kit/readiness.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const team = ['--team', 'team_x'];
/** One command of each kind. Only serve, migrate and restore may create a database. */
const commands = [
  ['backup', 'backup.gz'],
  ['team', 'create', '--name', 'Shop'],
  ['product', 'import', ...team, '-'],
];

/** Runs a command that must fail with exit code 1 and one line. Resolves with the line. */
async function refusal(args: string[], env: Record<string, string>): Promise<string> {
  // A server listens for signals of its process.
  const run = args[0] === 'serve' ? runProcess : runOrderbeacon;
  const { code, stdout, stderr } = await run(args, env);
  expect([args, code, stdout]).toEqual([args, 1, '']);
  expect(stderr).toMatch(/^orderbeacon: [^\n]+\n$/);
  return stderr;
}

/** Opens a database without a single table. */
async function createBareDatabase() {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.close());
  const relations = () =>
    database.sql`select from pg_class where relnamespace = 'public'::regnamespace`.then(
      (rows) => rows.length,
    );
  return { ...database, relations };
}

describe('a command that makes no database', () => {
  it('says where it found none, for a folder that is not there or is empty, and leaves it so', async () => {
    const parent = temporaryFolder();
    const missing = join(parent, 'data');
    for (const command of commands) {
      expect(await refusal(command, { ORDERBEACON_DATA_DIR: missing })).toContain(
        `There is no database in ${missing}: start the server there once (npm start), or give the ORDERBEACON_DATA_DIR or DATABASE_URL`,
      );
    }
    expect(readdirSync(parent)).toEqual([]);
    // The state after a first start that was killed early.
    mkdirSync(join(parent, 'postgres'), { mode: 0o700 });
    expect(await refusal(['team', 'list'], { ORDERBEACON_DATA_DIR: parent })).toContain(parent);
    expect(readdirSync(join(parent, 'postgres'))).toEqual([]);
  });

  it('says that a database without tables needs a start or migrate, and changes nothing', async () => {
    const { env, relations } = await createBareDatabase();
    const file = join(temporaryFolder(), 'backup.gz');
    for (const command of [
      ['team', 'list'],
      ['backup', file],
    ]) {
      expect(await refusal(command, env)).toMatch(
        /database of DATABASE_URL \(test_\w+ on .*\) has no tables of Orderbeacon yet: start .* or run: \S+orderbeacon migrate$/m,
      );
    }
    expect(await relations()).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect((await runOrderbeacon(['migrate'], env)).code).toBe(0);
    expect((await runOrderbeacon(['team', 'list'], env)).code).toBe(0);
  });

  it('names the migrations that a database lacks, and does not apply them', async () => {
    const { sql, env, relations } = await createBareDatabase();
    await sql`create table migration (name text primary key, breaks_older boolean not null default false)`;
    await sql`insert into migration (name) values ('000000_before')`;
    const before = await relations();
    expect(await refusal(['team', 'list'], env)).toMatch(
      /lacks 000001_schema.*: start .* or run: \S+orderbeacon migrate$/m,
    );
    expect(await relations()).toBe(before);
  });

  it('says that the role may not read the tables, and which role may', async () => {
    const { sql, url, close } = await createTestDatabase();
    const role = `stranger_${newUuid()}`;
    await sql`create role ${sql(role)} login password 'stranger'`;
    onTestFinished(async () => {
      await sql`drop role ${sql(role)}`;
      await close();
    });
    const other = new URL(url);
    [other.username, other.password] = [role, 'stranger'];
    for (const command of [['team', 'list'], ['doctor'], ['serve']]) {
      expect(await refusal(command, { DATABASE_URL: other.href, PORT: '0' })).toMatch(
        /The role of DATABASE_URL has no right to do this; use the role that owns the tables: permission denied for table migration\n$/,
      );
    }
  });

  it('says in which database it found no such team', async () => {
    const { env } = await createBareDatabase();
    await runOrderbeacon(['migrate'], env);
    const { code, stderr } = await runOrderbeacon(['order', 'list', ...team], env);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^orderbeacon: No team has the id "team_x" in the database of DATABASE_URL \(test_\w+ on \S+\)\. See: [^\n]+\n$/,
      ),
    ]);
    const dataDir = await dataFolder('migrated');
    const other = await runOrderbeacon(['order', 'list', ...team], { ORDERBEACON_DATA_DIR: dataDir });
    expect(other.stderr).toContain(`No team has the id "team_x" in the database in ${dataDir}. `);
  });
});

describe('a database that a newer release has migrated', () => {
  it('serves an older server and its commands, unless the step breaks them: then each says so', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const { sql, env } = database;
    await createTeam(sql, { id: newUuid(), name: 'Shop', storefrontUrl: 'https://shop.example' });
    await sql`insert into migration (name) values ('999998_of_tomorrow')`;
    const server = await startServerProcess(env);
    expect(await readiness(server.url)).toBe(200);
    expect((await runOrderbeacon(['team', 'list'], env)).stdout).toContain('Shop');

    await sql`insert into migration (name, breaks_older) values ('999999_breaking', true)`;
    expect(await readiness(server.url)).toBe(503);
    for (const command of ['serve', 'migrate', 'team list']) {
      expect(await refusal(command.split(' '), { ...env, PORT: '0' })).toContain(
        'A newer Orderbeacon has changed the database (999999_breaking)',
      );
    }
  });

  it('and whose files are unpacked under a running server: that one stays ready', {
    tags: ['long'],
  }, async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    // A copy of the installation, whose files the test may change.
    const here = fileURLToPath(new URL('../..', import.meta.url));
    const root = temporaryFolder();
    for (const name of ['bin', 'dist', 'package.json']) {
      cpSync(join(here, name), join(root, 'server', name), { recursive: true });
    }
    symlinkSync(join(here, '..', 'node_modules'), join(root, 'node_modules'));
    const server = await startServerProcess(database.env, join(root, 'server', 'bin', 'orderbeacon.js'));
    expect(await readiness(server.url)).toBe(200);
    writeFileSync(
      join(root, 'server/dist/database/migrations/999999_of_tomorrow.sql'),
      'create table tomorrow ();',
    );
    expect(await readiness(server.url)).toBe(200);
    // A server that is started from there now does know the file, so it is the file that the message asks for.
    const fresh = await startServerProcess(database.env, join(root, 'server', 'bin', 'orderbeacon.js'));
    const sql = connect(database.url, 1);
    expect(await sql`select to_regclass('tomorrow')::text as name`).toEqual([{ name: 'tomorrow' }]);
    await sql.end();
    expect(await readiness(fresh.url)).toBe(200);
    expect(await readiness(server.url)).toBe(200);
  });
});
