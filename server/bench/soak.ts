import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../src/database/connection/connect.js';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { createChaosClient } from './chaosClient.js';
import { makeFolder } from './makeFolder.js';
import { growthOf } from './memory.js';
import type { BenchOptions } from './options.js';
import { runCommand, startServer } from './processes.js';
import { notify } from './table.js';
import type { Verdict } from './verdict.js';

/** Requests a second: of ten, eight new orders, one known order and one product look-up. */
const perSecond = 1_000;
/** Requests are sent in steps of this length. */
const stepMs = 10;
const growthAtMost = 1.1;

/** Sends a server requests at a steady rate for `--seconds` (3600), and looks at its memory and answers. */
export async function trySoak({ seconds = 3600 }: BenchOptions, { promise, figure }: Verdict): Promise<void> {
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
  const endMs = startedMs + seconds * 1000;
  const sampling = setInterval(() => residentBytes.push(server.residentBytes()), seconds * 10);
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
  notify(`${seconds} s, ${Math.round((sent / (performance.now() - startedMs)) * 1000)} requests a second`);
  notify(`  answers: ${JSON.stringify(client.counts.byStatus)}, at most ${waitingAtMost} waiting together`);
  notify(`  longest: ${JSON.stringify(client.counts.longestMs)} ms`);
  notify(`  memory in MB: ${residentBytes.map((bytes) => Math.round(bytes / 1e6)).join(' ')}`);
  const growth = growthOf(residentBytes);
  figure('growth of the memory', growth);
  promise(
    'each acknowledged order is stored, and none twice',
    stored!.orders >= acknowledged && stored!.orders === stored!.ids,
  );
  const statuses = Object.keys(client.counts.byStatus);
  promise(
    'every answer is 200',
    statuses.every((name) => name.endsWith(' 200')),
  );
  promise(`memory stays: ${growth.toFixed(2)} times as much at the end`, growth <= growthAtMost);
  promise('the server stops when asked', (await server.stop()) === 0);
  client.close();
  await embedded.close();
  await rm(folder, { recursive: true });
}
