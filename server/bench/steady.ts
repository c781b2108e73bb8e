import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../src/database/connection/connect.js';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { createChaosClient } from './chaosClient.js';
import { makeFolder } from './makeFolder.js';
import { runCommand, startServer } from './processes.js';

/**
 * Sends a server `PER_SECOND` (1,000) requests for `MINUTES` (60): of ten, eight new orders, one known order and one
 * product look-up. Ends with 1 when its memory grows, an answer is not 200, or an acknowledged order is not stored once.
 */
const minutes = Number(process.env.MINUTES ?? 60);
const perSecond = Number(process.env.PER_SECOND ?? 1_000);
/** Requests are sent in steps of this length. */
const stepMs = 10;
/** Ratio of the memory in the last fifth of the run to the second fifth, when caches and heap have their size. */
const growthAtMost = 1.1;

const notify = (line: string) => process.stdout.write(`${line}\n`);
const folder = await makeFolder('steady');
const embedded = await openEmbedded(join(folder, 'data'), () => {});
const env = { DATABASE_URL: embedded.url, ORDERBEACON_RATE_LIMIT: 'off' };
const server = await startServer(env);
const team = await runCommand<{ id: string }>(env, ['team', 'create', '--name', 'Steady']);
await runCommand(env, ['domain', 'add', '--team', team.id, 'shop.example']);
const { key } = await runCommand<{ key: string }>(env, ['key', 'create', '--team', team.id]);
const product = { title: 'Mug', slug: 'mug', type: 'PHYSICAL', price: 5 };
await runCommand(env, ['product', 'import', '--team', team.id, '-'], {
  input: JSON.stringify([product]),
});

const client = createChaosClient(server.url);
const page = { origin: 'https://shop.example', 'content-type': 'text/plain' };
let sent = 0;
let orders = 0;
let acknowledged = 0;
let waiting = 0;
let waitingAtMost = 0;

function report(n: number) {
  return client.send('order', ['POST', '/svc-api/v1/orders'], page, {
    teamId: team.id,
    email: `buyer${n % 50_000}@mail.example`,
    amount: n / 100,
    orderId: `o-${n}`,
    visitorId: `visitor-${n % 50_000}`,
    items: [
      { sku: 'mug', quantity: 1, price: 5 },
      { sku: 'tea', quantity: 2, price: 3.5 },
    ],
  });
}

function send(): Promise<unknown> {
  const kind = sent++ % 10;
  if (kind === 8 && orders > 10_000) return report(orders - 10_000);
  if (kind === 9)
    return client.send('look-up', ['GET', '/svc-api/v1/products/mug'], { authorization: `Bearer ${key}` });
  return report(orders++).then(({ status }) => {
    if (status === 200) acknowledged++;
  });
}

const residentBytes: number[] = [];
const startedMs = performance.now();
const endMs = startedMs + minutes * 60_000;
const sampling = setInterval(() => residentBytes.push(server.residentBytes()), minutes * 600);
for (let nextMs = startedMs; nextMs < endMs; nextMs += stepMs) {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - performance.now())));
  for (let n = 0; n < (perSecond * stepMs) / 1000; n++) {
    waitingAtMost = Math.max(waitingAtMost, ++waiting);
    void send().finally(() => waiting--);
  }
}
while (waiting > 0) await new Promise((resolve) => setTimeout(resolve, stepMs));
clearInterval(sampling);

const sql = connect(embedded.url, 1);
const [stored] =
  await sql`select count(*)::int as orders, count(distinct order_id)::int as ids from placed_order`;
await sql.end();
const fifth = Math.floor(residentBytes.length / 5);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const [early, late] = [mean(residentBytes.slice(fifth, 2 * fifth)), mean(residentBytes.slice(-fifth))];
notify(
  `${minutes} minutes, ${Math.round((sent / (performance.now() - startedMs)) * 1000)} requests a second`,
);
notify(`  answers: ${JSON.stringify(client.counts.byStatus)}, at most ${waitingAtMost} waiting together`);
notify(`  longest: ${JSON.stringify(client.counts.longestMs)} ms`);
notify(`  memory in MB: ${residentBytes.map((bytes) => Math.round(bytes / 1e6)).join(' ')}`);
const promises = {
  'each acknowledged order is stored, and none twice':
    stored!.orders >= acknowledged && stored!.orders === stored!.ids,
  'every answer is 200': Object.keys(client.counts.byStatus).every((name) => name.endsWith(' 200')),
  [`memory stays: ${Math.round(early / 1e6)} MB early, ${Math.round(late / 1e6)} MB late`]:
    late <= early * growthAtMost,
  'the server stops when asked': (await server.stop()) === 0,
};
for (const [what, isKept] of Object.entries(promises)) notify(`  ${isKept ? 'kept  ' : 'BROKEN'}  ${what}`);
client.close();
await embedded.close();
await rm(folder, { recursive: true });
process.exitCode = Object.values(promises).every(Boolean) ? 0 : 1;
