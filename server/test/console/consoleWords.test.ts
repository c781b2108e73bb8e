import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { issueSigningKey } from '../../src/core/teams/issueKey.js';
import { encodeId } from '../../src/values/ids.js';
import { runCompare } from '../features/compare/kit/compareFile.js';
import { addTestSource } from '../features/sources/kit/sources.js';
import { wooOrder } from '../features/sources/kit/wooCommerceSamples.js';
import { textOf, tilesOf } from '../kit/html.js';
import { placeOrders } from '../kit/placeOrder.js';
import { settle } from '../kit/settle.js';
import { test } from '../kit/shop.js';

test('the share of orders that a backend confirmed is neither nothing nor all where it is not, and has its average order', async ({
  shop,
}) => {
  const { get } = await shop.console();
  const tiles = async () => tilesOf((await get('/console')).text);
  const share = async () => (await tiles()).Confirmed![0];
  await shop.report({ amount: 5 });
  expect(await share()).toBe('0%');
  await shop.report({ orderId: 'both', amount: 15 });
  await shop.reportByKey({ orderId: 'both', amount: 15 });
  expect(await share()).toBe('50%');
  expect((await tiles())['Average order']![0]).toBe('$10.00');
  await shop.reportByKey();
  expect(await share()).toBe('67%');
  await placeOrders(shop.sql, shop.team, Array(5_000).fill({}));
  expect(await share()).toBe('0.1%');
});

test('pages name who reported an order in plain words, the same in list, overview and order', async ({
  shop,
}) => {
  const { key } = (await issueSigningKey(shop.sql, shop.team, { isTest: false, name: null }))!;
  const signed = shop.order({ orderId: 'signed', amount: 5, currency: 'EUR' });
  const text = [signed.teamId, 'signed', signed.email, 5, 'EUR'].join('\n');
  for (const orderId of ['page', 'page and backend', 'page and shop']) await shop.report({ orderId });
  await shop.report({ ...signed, signature: createHmac('sha256', key).update(text).digest('hex') });
  for (const orderId of ['backend', 'page and backend']) await shop.reportByKey({ orderId });
  const source = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
  for (const [id, number] of [
    [71, 'shop'],
    [72, 'page and shop'],
  ] as const)
    await source.say(wooOrder(id, { number, billing: { email: 'ann@buyer.example' } }), 'order.updated');
  const lines = ['file', 'page and file'].map((id) => `${id},ann@buyer.example,EUR,7,2026-11-28T10:00:00Z`);
  const csv = ['orderId,email,currency,amount,createdAt', ...lines].join('\n');
  await runCompare(shop, csv, '--store', '--as-new');
  await shop.report({ orderId: 'page and file', amount: 7, currency: 'EUR' });
  await settle(shop.sql, shop.team);
  const { read, get } = await shop.console();
  const words: Record<string, [badge: string, by: string, step: string]> = {
    page: ['Browser only', 'a page alone', `A page of ${shop.domain} reported it`],
    signed: ['Confirmed', 'a signed page', 'First reported'],
    backend: ['Backend only', 'a backend alone', 'A backend reported it'],
    shop: ['Shop system only', 'your shop system alone', 'Your shop system reported it'],
    file: ['From a file', 'a file of your shop alone', 'A file of your shop reported it'],
    'page and backend': ['Confirmed', 'a page, and a backend', 'A backend confirmed it'],
    'page and shop': ['Confirmed', 'a page, and your shop system', 'Your shop system confirmed it'],
    'page and file': ['Confirmed', 'a page, and a file of your shop', 'A file of your shop confirmed it'],
  };
  const pages = { list: await get('/console/orders'), overview: await get('/console') };
  const stored = await shop.stored();
  expect(stored.map(({ orderId }) => orderId).sort()).toEqual(Object.keys(words).sort());
  for (const { id, orderId } of stored) {
    const [badge, by, step] = words[orderId]!;
    const page = await read(`/console/orders/${encodeId('ord', id)}`);
    for (const stated of [badge, by, step])
      expect([orderId, page]).toEqual([orderId, expect.stringContaining(stated)]);
    for (const [name, { text }] of Object.entries(pages)) {
      const row = new RegExp(`<tr[^>]*id="${encodeId('ord', id)}".*?</tr>`, 's').exec(text)?.[0];
      if (name === 'list') expect([orderId, textOf(row!)]).toEqual([orderId, expect.stringContaining(badge)]);
      else if (row) expect([orderId, textOf(row)]).toEqual([orderId, expect.stringContaining(badge)]);
    }
  }
  const filtered = await read('/console/orders?by=key');
  for (const badge of ['Backend only', 'Shop system only', 'From a file']) expect(filtered).toContain(badge);
});
