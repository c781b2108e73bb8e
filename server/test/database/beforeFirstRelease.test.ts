import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { runOrderbeacon } from '../kit/command.js';
import { createEmptyDatabase } from '../kit/database.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const wayOut =
  'export orders, people and products with the commands of that release, and import them with those of this one into an empty database';

/** Makes the database of a release before 0.3.0: the names of its migrations, and one of its tables. */
async function createDatabaseOf(release: '0.1.0' | '0.2.0') {
  const { sql, env, close } = await createEmptyDatabase();
  onTestFinished(close);
  await sql`create table migration (name text primary key, applied_at timestamptz(3) not null default now())`;
  if (release === '0.2.0')
    await sql`alter table migration add column breaks_older boolean not null default false`;
  await sql`insert into migration (name) values ('000001_start')`;
  if (release === '0.2.0') await sql`insert into migration (name) values ('000020_public_url')`;
  await sql`create table team (id uuid primary key, name text not null)`;
  const tables = () =>
    sql`select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`;
  return { env, tables };
}

it.each(['0.1.0', '0.2.0'] as const)(
  'a database of release %s is refused with the way out, and stays',
  async (release) => {
    const { env, tables } = await createDatabaseOf(release);
    for (const command of ['serve', 'migrate', 'team list', 'backup -']) {
      const { code, stdout, stderr } = await runOrderbeacon(command.split(' '), { ...env, PORT: '0' });
      expect([command, code, stdout, stderr]).toEqual([
        command,
        1,
        '',
        `orderbeacon: Release 0.1.0 or 0.2.0 has made this database, and this release cannot use it: ${wayOut}.\n`,
      ]);
    }
    expect(await tables()).toHaveLength(2);
  },
);

it('doctor names the way out of a database of release 0.2.0 too', async () => {
  const { env } = await createDatabaseOf('0.2.0');
  const { code, stdout } = await runOrderbeacon(['doctor', '--json'], env);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ check: 'migrations', ok: false, message: expect.stringContaining(wayOut) }),
  );
});

it('a backup of release 0.1.0 is refused with the way out', async () => {
  const { env, close } = await createEmptyDatabase();
  onTestFinished(close);
  const file = join(temporaryFolder(), 'backup.gz');
  const header = {
    format: 'orderbeacon-backup',
    version: 1,
    server: '0.1.0',
    createdAt: '',
    migrations: ['000001_start'],
    columns: {},
  };
  writeFileSync(file, gzipSync(`${JSON.stringify(header)}\n`));
  const { code, stderr } = await runOrderbeacon(['restore', file], env);
  expect([code, stderr]).toEqual([
    2,
    `orderbeacon: Release 0.1.0 has written this backup, and this release cannot restore it: ${wayOut}.\n`,
  ]);
});
