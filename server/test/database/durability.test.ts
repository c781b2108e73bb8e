import { expect, it } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { dataFolder } from '../kit/dataFolder.js';
import { runningIn } from '../kit/embeddedProcesses.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';

interface Placed {
  orderId: string;
  id: string;
}

/** Reports orders one after the other until the server is gone. Records the acknowledged ones. */
async function write(url: string, teamId: string, name: string, acknowledged: Placed[]): Promise<void> {
  for (let n = 0; ; n++) {
    const orderId = `${name}-${n}`;
    try {
      const answer = await report(url, { teamId, orderId, email: `${name}@buyer.example`, amount: n });
      if (answer.status === 200) acknowledged.push({ orderId, id: answer.body.data.id });
    } catch {
      return;
    }
  }
}

function report(url: string, body: object) {
  return sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
    headers: { 'content-type': 'application/json', origin: 'http://localhost' },
    body: JSON.stringify(body),
  });
}

const demoTeam = (output: string) => /team_[0-9a-z]{26}/.exec(output)![0];

it('kill -9 of server and database amid 32 writers loses and doubles nothing that was acknowledged', async () => {
  const env = { ORDERBEACON_DATA_DIR: await dataFolder('migrated'), ORDERBEACON_RATE_LIMIT: 'off' };
  const server = await startServerProcess(env);
  const teamId = demoTeam(server.output());
  const acknowledged: Placed[] = [];
  const writers = Array.from({ length: 32 }, (_, n) => write(server.url, teamId, `writer${n}`, acknowledged));
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(500);
  // Kills PostgreSQL itself, as a power cut would.
  process.kill(runningIn(env.ORDERBEACON_DATA_DIR), 'SIGKILL');
  server.signal('SIGKILL');
  await Promise.all([server.ended, ...writers]);

  const again = await startServerProcess(env);
  const database = await openDatabase({ databaseUrl: null, dataDir: env.ORDERBEACON_DATA_DIR });
  const rows =
    await database.sql`select order_id, count(*)::int as times from placed_order group by order_id`;
  await database.close();
  const times = new Map(rows.map((row) => [row.order_id, row.times]));
  expect(acknowledged.filter(({ orderId }) => times.get(orderId) !== 1)).toEqual([]);
  expect(rows.filter((row) => row.times !== 1)).toEqual([]);
  for (const { orderId, id } of acknowledged.slice(-32)) {
    const email = `${orderId.split('-')[0]}@buyer.example`;
    const answer = await report(again.url, { teamId, orderId, email, amount: 0 });
    expect(answer.body.data).toMatchObject({ id, isNew: false });
  }
  again.signal('SIGTERM');
  expect((await again.ended).code).toBe(0);
});

it('SIGTERM answers every report that is in flight, and then the process ends with 0', async () => {
  const env = { ORDERBEACON_DATA_DIR: await dataFolder('migrated'), ORDERBEACON_RATE_LIMIT: 'off' };
  const server = await startServerProcess(env);
  const teamId = demoTeam(server.output());
  const database = await openDatabase({ databaseUrl: null, dataDir: env.ORDERBEACON_DATA_DIR });
  const { sql } = database;

  // Reports wait for this lock, so that they are certainly in flight when the signal comes.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const locking = sql.begin(async (transaction) => {
    await transaction`lock table placed_order in exclusive mode`;
    await held;
  });
  const inFlight = Array.from({ length: 20 }, (_, n) =>
    report(server.url, { teamId, orderId: `late-${n}`, email: 'ann@buyer.example', amount: 1 }),
  );
  // All of them: when the server stops to listen, the system resets connections that it has not accepted yet.
  const figures = async () => (await sendTo(new URL('/metrics', server.url), 'GET')).text;
  await expect.poll(figures, { timeout: 60_000 }).toMatch(/^orderbeacon_queue_rows 20$/m);
  server.signal('SIGTERM');
  await expect
    .poll(
      () =>
        report(server.url, {}).then(
          () => 'taken',
          (error) => error.code,
        ),
      { timeout: 60_000 },
    )
    .toBe('ECONNREFUSED');
  release();
  await locking;
  const answers = await Promise.all(inFlight);
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  expect((await server.ended).code).toBe(0);
  expect(await sql`select from placed_order where order_id like 'late-%'`).toHaveLength(20);
  await database.close();
});
