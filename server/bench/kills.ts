import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../src/database/openDatabase.js';
import { createChaosClient } from './chaosClient.js';
import { seededRandom } from './chaosFaults.js';
import { makeFolder } from './makeFolder.js';
import { type Listening, runCommand, startServer } from './processes.js';

/**
 * Kills a server, its embedded PostgreSQL or both with SIGKILL, `KILLS` (100) times at random moments, under 32 writers
 * who repeat each report until it is acknowledged; `SEED` (1) sets the moments and targets. Ends with 1 when an acknowledged
 * order is lost, doubled or has another number.
 */
const kills = Number(process.env.KILLS ?? 100);
const random = seededRandom(Number(process.env.SEED ?? 1));
const writers = 32;

const notify = (line: string) => process.stdout.write(`${line}\n`);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
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

/** Kills the PostgreSQL that runs, or the next one while it is being started again after an earlier kill. */
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
for (let round = 0; round < kills; round++) {
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
notify(`${kills} kills: ${JSON.stringify(killed)}; answers: ${JSON.stringify(statuses)}`);
const promises = {
  [`each of ${acknowledged.size} acknowledged orders is stored under its number`]:
    lost.length === 0 && acknowledged.size > 0,
  'no order is doubled': stored.size === rows.length,
  'the server answers 200, 503 or not at all': Object.keys(statuses).every((status) =>
    ['0', '200', '503'].includes(status),
  ),
  'the server stops when asked': exitCode === 0,
};
for (const [what, isKept] of Object.entries(promises)) notify(`  ${isKept ? 'kept  ' : 'BROKEN'}  ${what}`);
for (const [orderId] of lost.slice(0, 5)) notify(`          ${orderId}`);
process.exitCode = Object.values(promises).every(Boolean) ? 0 : 1;
