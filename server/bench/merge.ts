import { createHmac, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeId } from '../src/values/ids.js';
import { type Candidate, startCandidate } from './candidate.js';
import { fillShop } from './fillShop.js';
import { type Costs, inTurn, withCosts } from './inTurn.js';
import type { Measured } from './load.js';
import { makeFolder } from './makeFolder.js';
import type { BenchOptions } from './options.js';
import { count, notify, ratio, row, us } from './table.js';
import type { Verdict } from './verdict.js';

const secret = 'secret-of-the-bench-32-characters';
/** Number of orders of a measurement, and of those that are sent concurrently. */
const ordersMeasured = 300;
const concurrent = 4;
/** Number of orders in the large shop of the part `large`. */
const largeShopOrders = 5_000_000;

/** Functions that send the report of a page or the event of a shop about an order, by the order's number. */
interface Shopkeeper {
  page(number: number): Promise<unknown>;
  event(number: number, more?: object): Promise<unknown>;
  /** Erases the buyer of an order. */
  erase(number: number): Promise<unknown>;
}

/** Measurements, each with what is sent of an order, and what was sent of it before. */
const stories: Record<
  string,
  {
    before?: (shop: Shopkeeper, number: number) => Promise<unknown>;
    said: (shop: Shopkeeper, number: number) => Promise<unknown>;
    /** Default: `ordersMeasured`. */
    orders?: number;
  }
> = {
  'a webhook alone': { said: ({ event }, number) => event(number) },
  'the webhook of a page’s order': {
    before: ({ page }, number) => page(number),
    said: ({ event }, number) => event(number),
  },
  'the page of a webhook’s order': {
    before: ({ event }, number) => event(number),
    said: ({ page }, number) => page(number),
  },
  'a webhook that comes again': {
    before: ({ event }, number) => event(number),
    said: ({ event }, number) => event(number),
  },
  'a refund': {
    before: ({ event }, number) => event(number),
    said: ({ event }, number) =>
      event(number, {
        refunds: [{ id: number, reason: '', total: '-10.00' }],
        date_modified_gmt: '2026-03-02T10:00:00',
      }),
  },
  'an erasure': {
    before: ({ page }, number) => page(number),
    said: ({ erase }, number) => erase(number),
    // Each is a process of its own.
    orders: 12,
  },
};

/**
 * Measures the cost of a shop's order, and of further reports of a stored order. The costs are CPU time of PostgreSQL and of
 * Node. The other checkout of `--against` takes turns. With the part `large`, this checkout has a shop with five million orders; its
 * default opponent is then this checkout with an empty shop, so that the ratios show what grows with the number of orders.
 */
export async function measureMerge(options: BenchOptions, verdict: Verdict): Promise<void> {
  const folder = await makeFolder('bench-merge');
  const ours = await startCandidate(join(folder, 'data'));
  const isLarge = options.parts.includes('large');
  const against =
    options.against || isLarge
      ? await startCandidate(join(folder, 'against'), options.against ?? undefined)
      : null;
  if (isLarge) await fillShop(ours.sql, decodeId('team', ours.teamId)!, largeShopOrders);
  const shops = {
    'this checkout': await openShop(ours),
    ...(against && { 'the other checkout': await openShop(against) }),
  };
  notify(`Least CPU of ${options.rounds} rounds, in µs per order.\n`);
  row('', 'PostgreSQL', 'of other', 'Node', 'of other', 'a second');
  // The large shop has buyers with the numbers below.
  let next = 1_000_000;
  for (const [story, { before, said, orders = ordersMeasured }] of Object.entries(stories)) {
    async function tell(shop: MeasuredShop): Promise<Costs> {
      const first = next;
      next += orders;
      if (before) await forEach(first, orders, (number) => before(shop, number));
      return shop.costsOf(() => forEach(first, orders, (number) => said(shop, number)));
    }
    for (const shop of Object.values(shops)) await tell(shop);
    // Autovacuum does this each minute. Until then the planner knows nothing of a new table.
    for (const { sql } of against ? [ours, against] : [ours]) await sql`analyze`;
    const measured = await inTurn<string>(
      options.rounds,
      Object.fromEntries(Object.entries(shops).map(([name, shop]) => [name, () => tell(shop)])),
    );
    const { 'this checkout': now, 'the other checkout': other } = measured;
    const { nodeUs, databaseUs, perSecond } = now!;
    const of = (one: number | null, two?: number | null) => (one && two ? ratio(one, two) : '-');
    row(
      story,
      us(databaseUs),
      of(databaseUs, other?.databaseUs),
      us(nodeUs),
      of(nodeUs, other?.nodeUs),
      count(perSecond),
    );
    if (databaseUs) verdict.figure(`${story}, PostgreSQL µs`, databaseUs);
    if (databaseUs && other?.databaseUs)
      verdict.figure(`${story}, of the other`, databaseUs / other.databaseUs);
  }
  await Promise.all([ours, against].map((each) => each?.stop()));
  await rm(folder, { recursive: true });
}

interface MeasuredShop extends Shopkeeper {
  costsOf(work: () => Promise<Measured>): Promise<Costs>;
}

async function openShop(candidate: Candidate): Promise<MeasuredShop> {
  const { server, teamId, orders, run, databaseCpuMs } = candidate;
  const { url } = await run<{ url: string }>(
    ['source', 'add', '--team', teamId, 'woocommerce', '--secret-file', '-'],
    secret,
  );
  const path = new URL(url).pathname;
  const post = async (to: string, headers: Record<string, string>, body: string) => {
    const { status } = await fetch(to, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`Answered with ${status}.`);
  };
  return {
    page: (number) => post(orders.url, orders.headers, orders.body!.replaceAll('{n}', String(number))),
    event(number, more) {
      const body = JSON.stringify({ ...order(number), ...more });
      const signature = createHmac('sha256', secret).update(body).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'x-wc-webhook-topic': 'order.updated',
        'x-wc-webhook-signature': signature,
        'x-wc-webhook-delivery-id': randomUUID(),
      };
      return post(`${server.url}${path}`, headers, body);
    },
    erase: (number) => run(['person', 'erase', '--team', teamId, '--email', `buyer-${number}@mail.example`]),
    costsOf: (work) => withCosts(work, server.cpuMs, databaseCpuMs),
  };
}

const order = (number: number) => ({
  id: number,
  number: String(number),
  parent_id: 0,
  status: 'processing',
  currency: 'EUR',
  total: '69.85',
  total_tax: '11.15',
  order_key: `wc_order_${number}`,
  billing: { first_name: 'Ann', last_name: 'Buyer', email: `buyer-${number}@mail.example` },
  payment_method: 'stripe',
  meta_data: [],
  line_items: [
    {
      id: 1,
      name: 'T-shirt, organic cotton',
      product_id: 81723,
      variation_id: 0,
      quantity: 2,
      total: '41.93',
      total_tax: '7.97',
      sku: 'TEE-1',
    },
    {
      id: 2,
      name: 'Cap',
      product_id: 81764,
      variation_id: 0,
      quantity: 1,
      total: '16.76',
      total_tax: '3.19',
      sku: 'CAP-7',
    },
  ],
  coupon_lines: [],
  refunds: [],
  date_created_gmt: '2026-03-01T10:00:00',
  date_modified_gmt: '2026-03-01T10:00:05',
  date_paid_gmt: '2026-03-01T10:00:04',
});

/** Runs an action with each number of a measurement, some concurrently. */
async function forEach(
  first: number,
  orders: number,
  work: (number: number) => Promise<unknown>,
): Promise<Measured> {
  let next = first;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrent }, async () => {
      while (next < first + orders) await work(next++);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  return { requests: orders, perSecond: orders / seconds, p50Ms: 0, p99Ms: 0 };
}
