import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../src/database/openDatabase.js';
import { createRandom } from '../test/kit/random.js';
import { createChaosClient } from './chaosClient.js';
import { makeFolder } from './makeFolder.js';
import { type Listening, runCommand, startServer } from './processes.js';
import { notify } from './table.js';
import type { Verdict } from './verdict.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Kills a server, its embedded PostgreSQL or both with SIGKILL at random moments. Writers repeat each report until it is
 * acknowledged.
 */
export async function tryKills(
  { seconds, seed, writers }: { seconds: number; seed: number; writers: number },
  { promise, figure }: Verdict,
): Promise<void> {
  const { next: random } = createRandom(seed);
  const folder = await makeFolder('kills');
  const env = { ORDERBEACON_DATA_DIR: folder, ORDERBEACON_RATE_LIMIT: 'off', LOG_LEVEL: 'error' };
  const page = { origin: 'https://shop.example', 'content-type': 'text/plain' };

  let server: Listening = await startServer(env);
  let client = createChaosClient(server.url);
  const team = await runCommand<{ id: string }>(env, ['team', 'create', '--name', 'Kills']);
  await runCommand(env, ['domain', 'add', '--team', team.id, 'shop.example']);
  const acknowledged = new Map<string, string>();
  const statuses: Record<string, number> = {};
  let isOver = false;

  async function write(name: string): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const orderId = `${name}-${n}`;
      const report = { teamId: team.id, email: `${name}@buyer.example`, amount: n, orderId };
      for (;;) {
        const { status, body } = await client.send('order', ['POST', '/svc-api/v1/orders'], page, report);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 200) {
          acknowledged.set(orderId, body.data.orderNumber);
          break;
        }
        await sleep(20);
      }
    }
  }

  /** Kills the running PostgreSQL. After an earlier kill, waits until it is being started again. */
  async function killPostgres(): Promise<void> {
    for (;;) {
      try {
        const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
        const file = names.find((name) => name.endsWith('postmaster.pid'))!;
        process.kill(Number.parseInt(readFileSync(join(folder, file), 'utf8'), 10), 'SIGKILL');
        return;
      } catch {
        await sleep(20);
      }
    }
  }

  const killed = { server: 0, postgres: 0, both: 0 };
  const writing = Array.from({ length: writers }, (_, n) => write(`w${n}`));
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs) {
    const before = acknowledged.size;
    while (acknowledged.size < before + writers) await sleep(5);
    await sleep(random() * 500);
    const what = (['server', 'postgres', 'both'] as const)[Math.floor(random() * 3)]!;
    killed[what]++;
    if (what !== 'server') await killPostgres();
    if (what === 'postgres') continue;
    await server.kill();
    client.close();
    server = await startServer(env);
    client = createChaosClient(server.url);
  }
  isOver = true;
  await Promise.all(writing);

  const database = await openDatabase({ databaseUrl: null, dataDir: folder });
  const rows = await database.sql<{ orderId: string; orderNumber: string }[]>`
  select order_id as "orderId", order_number as "orderNumber" from placed_order`;
  await database.close();
  const stored = new Map(rows.map(({ orderId, orderNumber }) => [orderId, orderNumber]));
  const lost = [...acknowledged].filter(([orderId, number]) => stored.get(orderId) !== number);
  const exitCode = await server.stop();
  client.close();
  await rm(folder, { recursive: true });
  notify(
    `Kills for ${seconds} s, seed ${seed}: ${JSON.stringify(killed)}; answers: ${JSON.stringify(statuses)}`,
  );
  figure('kills, acknowledged orders', acknowledged.size);
  const ids = lost.map(([orderId]) => orderId);
  promise(
    'each acknowledged order is stored under its number',
    acknowledged.size > 0 && ids.length === 0,
    ids,
  );
  promise('no order is doubled', stored.size === rows.length);
  const isAllowed = (status: string) => ['0', '200', '503'].includes(status);
  promise('the server answers 200, 503 or not at all', Object.keys(statuses).every(isAllowed));
  promise('the server stops when asked', exitCode === 0);
}
