import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { connect } from '../src/database/connection/connect.js';
import { tables } from '../src/database/tables.js';
import { createTeam } from '../src/teams/sql/team.js';
import { newUuid } from '../src/values/ids.js';
import { createBareCluster, createTestDatabase } from './database.js';
import { runProcess } from './process.js';
import { startServerForTest } from './server.js';
import { temporaryFolder } from './temporaryFolder.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

/** Every row of every table as text. */
async function contents(url: string): Promise<Record<string, string[]>> {
  const sql = connect(url, 1);
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await sql<{ row: string }[]>`select r::text as row from ${sql(table)} r`;
    found[table] = rows.map(({ row }) => row).sort();
  }
  await sql.end();
  return found;
}

describe.skipIf(!inject('isCitus'))(`a backup of a Citus cluster (skipped where ${reason})`, () => {
  it('is refused in one line while a server has the database open, since it would not be of one moment', async () => {
    const server = await startServerForTest();
    await server.addTeam('shop.example');
    const { code, stdout, stderr } = await runProcess(
      ['backup', join(temporaryFolder(), 'backup.gz')],
      server.env,
    );
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'orderbeacon: A server or command has this database open. On a cluster a backup is consistent only while nothing writes, so stop it first.\n',
    ]);
  });

  it('holds every row of every node, and is restored into a new cluster, whose tables are distributed then', async () => {
    const source = await createTestDatabase();
    onTestFinished(() => source.close());
    for (let n = 0; n < 8; n++) {
      const id = newUuid();
      await createTeam(source.sql, { id, name: `Shop ${n}`, storefrontUrl: 'https://shop.example' });
      await source.sql`
        insert into person (team_id, id, email) select ${id}, gen_random_uuid(), n || '@buyer.example'
        from generate_series(1, 200) n`;
      await source.sql`
        insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by,
          created_at)
        select team_id, id, 'ORD-' || id, id, 1.50, 'USD', 'OTHER', false, 'key', '2026-05-01T00:00Z' from person
        where team_id = ${id}`;
    }
    await source.sql.end();
    const file = join(temporaryFolder(), 'backup.gz');
    const made = await runProcess(['backup', file, '--json'], source.env);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(JSON.parse(made.stdout).rows).toMatchObject({ team: 8, person: 1600, placed_order: 1600 });

    const target = await createBareCluster();
    onTestFinished(() => target.close());
    const restored = await runProcess(['restore', file, '--json'], target.env);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const distributed = await runProcess(['migrate', '--distribute', '--json'], target.env);
    expect(JSON.parse(distributed.stdout).distributed).toEqual([...tables]);
    expect(await contents(target.url)).toEqual(await contents(source.url));
  });
});
