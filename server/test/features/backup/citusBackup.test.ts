// @module-tag long
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import { migrate } from '../../../src/database/migrate.js';
import { tables } from '../../../src/database/tables.js';
import { newUuid } from '../../../src/values/ids.js';
import { createBareCluster, createTestDatabase } from '../../kit/database.js';
import { placeOrders } from '../../kit/placeOrder.js';
import { runProcess } from '../../kit/process.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';
import { tableContents } from './tableContents.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

describe.skipIf(!inject('isCitus'))(`a backup and a Citus cluster (skipped where ${reason})`, () => {
  it('is refused in one line where the tables are distributed, since it would not be of one moment', async () => {
    const { sql, env, close } = await createTestDatabase();
    onTestFinished(close);
    await createTeam(sql, { id: newUuid(), name: 'Shop', storefrontUrl: 'https://shop.example' });
    const { code, stdout, stderr } = await runProcess(['backup', join(temporaryFolder(), 'backup.gz')], env);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'orderbeacon: The tables are distributed over a Citus cluster, whose nodes no backup reads at one moment. Use PostgreSQL’s own backups of each node: see the guide Citus.\n',
    ]);
  });

  it('brings a database into a new cluster, whose tables are distributed then', async () => {
    const source = await createBareCluster();
    onTestFinished(() => source.close());
    await migrate(source.sql);
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
