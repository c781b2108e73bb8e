// @module-tag long
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { tables } from '../src/database/tables.js';
import { createTeam } from '../src/teams/sql/team.js';
import { newUuid } from '../src/values/ids.js';
import { createBareCluster, createTestDatabase } from './database.js';
import { placeOrders } from './placeOrder.js';
import { runProcess } from './process.js';
import { startServerForTest } from './server.js';
import { tableContents } from './tableContents.js';
import { temporaryFolder } from './temporaryFolder.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

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
      const orders = Array.from({ length: 200 }, (_, at) => ({ email: `${at}@buyer.example` }));
      await placeOrders(source.sql, id, orders);
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
    expect(await tableContents(target.url)).toEqual(await tableContents(source.url));
  });
});
