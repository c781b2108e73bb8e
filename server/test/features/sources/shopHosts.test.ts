import { expect, onTestFinished } from 'vitest';
import { startStoringAllowed } from '../../../src/features/sources/receive/storeAllowed.js';
import type { SourceKind } from '../../../src/features/sources/source.js';
import { replaceAccess, replaceSecret } from '../../../src/features/sources/sql/source.js';
import { type Shop, test } from '../../kit/shop.js';
import { paidOrder, refundOf, returned } from './kit/shopifySamples.js';
import { addTestSource, signers } from './kit/sources.js';
import { wooOrder } from './kit/wooCommerceSamples.js';
import { storeEventOf } from './openSync.js';

const headerOf = { woocommerce: 'x-wc-webhook-source', shopify: 'x-shopify-shop-domain' };
const topicOf = { woocommerce: 'order.updated', shopify: 'orders/paid' };

/** Opens a source. `say` sends its events as the shop at a host does; null for a shop that names no host. */
async function openSource(shop: Shop, kind: 'woocommerce' | 'shopify' = 'woocommerce') {
  const source = await addTestSource(shop.server, shop.team, { kind });
  async function say(host: string | null, payload: object, topic: string = topicOf[kind]) {
    const body = JSON.stringify(payload);
    const headers = signers[kind](body, source.secret!, topic);
    // If a body is a text, Node writes headers in its encoding.
    return source.post(Buffer.from(body), { ...headers, ...(host !== null && { [headerOf[kind]]: host }) });
  }
  const outcomesOf = async (host: string | null, payload: object) =>
    (await say(host, payload)).body.data?.outcomes;
  return { source, say, outcomesOf };
}

const live = 'https://shop.example/';
const copy = 'https://staging.shop.example/';
const setup = async (shop: Shop) => (await shop.console()).read('/console/setup/sources');
const press = async (
  shop: Shop,
  source: { shownId: string },
  as: 'moved' | 'both',
  host = 'staging.shop.example',
) => (await shop.console()).submit('/console/setup/sources/host', { source: source.shownId, host, as });

test('a refund, an edit and an order on a copy of the shop change nothing, and Setup names the copy', async ({
  shop,
}) => {
  const { source, outcomesOf } = await openSource(shop);
  expect(await outcomesOf(live, wooOrder(1))).toEqual(['new']);
  const before = await shop.stored();
  const later = { date_modified_gmt: '2030-01-01T00:00:00' };
  const refunded = wooOrder(1, { ...later, refunds: [{ id: 9, total: '-10.00' }] });
  for (const payload of [wooOrder(1, { ...later, total: '1.00' }), refunded, wooOrder(2)])
    expect(await outcomesOf(copy, payload)).toEqual(['other_host']);
  expect(await shop.stored()).toEqual(before);
  expect(await shop.sql`select from refund where team_id = ${shop.team}`).toHaveLength(0);
  expect(await setup(shop)).toMatch(
    /3 events came from staging\.shop\.example, .*The shop of this source is shop\.example/,
  );
  const [listed] = JSON.parse((await shop.command('source', 'list', '--json')).stdout);
  expect(listed.otherHosts).toMatchObject([{ host: 'staging.shop.example', events: 3 }]);
  expect(listed.lastOutcome).not.toBe('other_host');
  expect(source.shownId).toBe(listed.id);
});

test.for<[string, string | null]>([
  ['www.', 'https://www.shop.example/'],
  ['http', 'http://shop.example'],
  ['a path', 'https://shop.example/de/shop'],
  ['a port', 'https://shop.example:8443'],
  ['another case', 'https://SHOP.example'],
  ['a dot at the end', 'https://shop.example./'],
  ['no scheme', 'shop.example'],
  ['nothing', ''],
  ['a text that is no address', 'http://'],
  ['no header', null],
])('an address with %s is that of the same shop', async ([_, host], { shop }) => {
  const { outcomesOf } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  expect(await outcomesOf(host, wooOrder(2))).toEqual(['new']);
});

test.for(['münchen.example', 'xn--mnchen-3ya.example'])(
  '%s is one host, however it is written',
  async (host, { shop }) => {
    const { outcomesOf } = await openSource(shop);
    // The header has the bytes of its UTF-8.
    const sent = Buffer.from(`https://${host}`).toString('latin1');
    await outcomesOf(sent, wooOrder(1));
    expect(await outcomesOf('https://xn--mnchen-3ya.example/', wooOrder(2))).toEqual(['new']);
    expect(await outcomesOf('https://xn--mnchn-n0a.example/', wooOrder(3))).toEqual(['other_host']);
  },
);

test('a shop of Shopify is known by its own domain', async ({ shop }) => {
  const { say, outcomesOf } = await openSource(shop, 'shopify');
  expect(await outcomesOf('ann.myshopify.com', paidOrder(1))).toEqual(['new']);
  const refund = refundOf(1, 7, [returned(8, '10.00')]);
  expect((await say('ann-dev.myshopify.com', refund, 'refunds/create')).body.data.outcomes).toEqual([
    'other_host',
  ]);
  expect((await say('ann.myshopify.com', refund, 'refunds/create')).body.data.outcomes).toEqual(['refund']);
});

test.for<[SourceKind & keyof typeof headerOf, string, string, string | null]>([
  ['woocommerce', 'https://www.shop.example', copy, 'other_host'],
  ['woocommerce', 'https://shop.example/de', 'https://shop.example', 'new'],
  // The server may reach the shop at another address than the one that buyers know.
  ['woocommerce', 'http://10.0.0.7', live, 'new'],
  ['woocommerce', 'http://wordpress:8080', live, 'new'],
  ['shopify', 'https://ann.myshopify.com', 'bob.myshopify.com', 'other_host'],
  ['shopify', 'https://shop.example', 'ann.myshopify.com', 'new'],
])(
  'a source of %s with the address %s takes the first event of %s as %s',
  async ([kind, shopUrl, host, outcome], { shop }) => {
    const { source, outcomesOf } = await openSource(shop, kind);
    await replaceAccess(shop.sql, shop.team, source.id, {
      shopUrl,
      apiKey: 'ck_1:cs_1',
      allowsPrivate: true,
    });
    await shop.sql`update source set sync_at = now() + interval '1 day', synced_at = now() where team_id = ${shop.team}`;
    const payload = kind === 'shopify' ? paidOrder(1) : wooOrder(1);
    expect(await outcomesOf(host, payload)).toEqual([outcome]);
  },
);

test('a shop that has moved is allowed by one press: what was kept is stored, and its old address counts no more', {
  tags: ['slow'],
}, async ({ shop }) => {
  const { source, outcomesOf } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  await outcomesOf(copy, wooOrder(2, { refunds: [{ id: 9, total: '-10.00' }] }));
  expect((await press(shop, source, 'moved')).status).toBe(303);
  expect(await setup(shop)).not.toContain('came from staging.shop.example');
  expect(await outcomesOf(copy, wooOrder(3))).toEqual(['new']);
  expect(await outcomesOf(live, wooOrder(4))).toEqual(['other_host']);
  const storing = { sql: shop.sql, storeEvent: await storeEventOf(shop), noteFault: () => {} };
  onTestFinished(startStoringAllowed(storing));
  const kept = () => shop.sql`select host from source_event where team_id = ${shop.team}`;
  await expect.poll(kept).toEqual([{ host: 'shop.example' }]);
  const ids = (await shop.stored()).map(({ orderId }) => orderId);
  expect(ids.toSorted()).toEqual(['1', '2', '3']);
  expect(await shop.sql`select refund_id from refund where team_id = ${shop.team}`).toEqual([
    { refund_id: '9' },
  ]);
});

test('a shop with two addresses has both by another press', async ({ shop }) => {
  const { source, outcomesOf } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  await outcomesOf(copy, wooOrder(2));
  await press(shop, source, 'both');
  expect(await outcomesOf(copy, wooOrder(3))).toEqual(['new']);
  expect(await outcomesOf(live, wooOrder(4))).toEqual(['new']);
});

test('the overview says so once events come of another host alone', async ({ shop }) => {
  const { outcomesOf } = await openSource(shop);
  const overview = async () => (await shop.console()).read('/console');
  await outcomesOf(live, wooOrder(1));
  await expect.poll(() => setup(shop)).toContain('Connected');
  await outcomesOf(copy, wooOrder(2));
  expect(await overview()).not.toContain('staging.shop.example');
  await shop.sql`update source set last_event_at = now() - interval '2 hours' where team_id = ${shop.team}`;
  expect(await overview()).toContain('Orders came from staging.shop.example alone, and do not count.');
});

test('no press allows a host that has sent nothing', async ({ shop }) => {
  const { source, outcomesOf } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  await press(shop, source, 'moved', 'attacker.example');
  expect(await outcomesOf(live, wooOrder(2))).toEqual(['new']);
});

test('another secret connects the shop anew, and the same one does not', async ({ shop }) => {
  const { source, outcomesOf } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  await replaceSecret(shop.sql, shop.team, source.id, source.secret!);
  expect(await outcomesOf(copy, wooOrder(2))).toEqual(['other_host']);
  await replaceSecret(shop.sql, shop.team, source.id, 'another');
  await replaceSecret(shop.sql, shop.team, source.id, source.secret!);
  expect(await outcomesOf(copy, wooOrder(3))).toEqual(['new']);
});

test('of two first events of two hosts that come at once one counts', { tags: ['all'] }, async ({ shop }) => {
  const { outcomesOf } = await openSource(shop);
  const sent = Array.from({ length: 20 }, (_, at) => outcomesOf(at % 2 ? live : copy, wooOrder(at + 1)));
  const outcomes = (await Promise.all(sent)).flat();
  expect([
    outcomes.filter((each) => each === 'new').length,
    outcomes.filter((each) => each === 'other_host').length,
  ]).toEqual([10, 10]);
});

test('a thousand events are kept of a copy, and its next ones are refused', async ({ shop }) => {
  const { source, outcomesOf, say } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  await shop.sql`
    insert into source_event (team_id, source_id, id, host, body)
    select ${shop.team}, ${source.id}, gen_random_uuid(), 'staging.shop.example', '{}' from generate_series(1, 999)`;
  expect(await outcomesOf(copy, wooOrder(2))).toEqual(['other_host']);
  const { status, body } = await say(copy, wooOrder(3));
  expect([status, body.error.message]).toEqual([422, expect.stringContaining('staging.shop.example')]);
});

test('an event that is kept apart is its buyer’s: exported and erased with the person', async ({ shop }) => {
  const { outcomesOf } = await openSource(shop);
  await outcomesOf(live, wooOrder(1));
  await outcomesOf(copy, wooOrder(2));
  const person = async (verb: string) =>
    JSON.parse((await shop.command('person', verb, '--email', 'ann@shop.example', '--json')).stdout);
  expect((await person('export')).sourceEvents).toMatchObject([
    { host: 'staging.shop.example', body: expect.stringContaining('ann@shop.example') },
  ]);
  await person('erase');
  expect(await shop.sql`select from source_event where team_id = ${shop.team}`).toHaveLength(0);
});
