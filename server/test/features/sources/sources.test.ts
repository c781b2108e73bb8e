import { describe, expect } from 'vitest';
import { sourceKinds } from '../../../src/features/sources/source.js';
import { replaceSecret } from '../../../src/features/sources/sql/source.js';
import { test } from '../../kit/shop.js';
import { addTestSource, signers } from './kit/sources.js';

const odd = '{"what":"is this"}';
const topics = { stripe: '', shopify: 'orders/paid', woocommerce: 'order.updated' };

describe.each(sourceKinds)('a source of %s', (kind) => {
  test('keeps what is signed and cannot be read as it was sent, and answers 200', async ({
    server,
    shop,
  }) => {
    const source = await addTestSource(server, shop.team, { kind });
    const answer = await source.say(odd, topics[kind]);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { outcomes: ['kept'] } }]);
    expect(await shop.refused()).toMatchObject([{ body: odd, reason: 'invalid_request' }]);
  });

  test('answers 401 to what is not signed with its secret, and keeps nothing', async ({ server, shop }) => {
    const source = await addTestSource(server, shop.team, { kind });
    const other = await addTestSource(server, shop.team, { kind, secret: 'whsec_of_another_source' });
    const answers = [
      await source.post(odd, {}),
      await source.post(odd, signers[kind](odd, 'whsec_of_another_source', '')),
      await source.post(`${odd} `, signers[kind](odd, 'whsec_of_a_test', '')),
      await other.post(odd, signers[kind](odd, 'whsec_of_a_test', '')),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(4).fill([401, 'invalid_signature']),
    );
    expect(await shop.refused()).toEqual([]);
  });

  test('answers 404 once it is removed, and before it exists', async ({ server, shop }) => {
    const source = await addTestSource(server, shop.team, { kind });
    expect((await source.say(odd)).status).toBe(200);
    await shop.command('source', 'remove', source.shownId);
    expect((await source.say(odd)).status).toBe(404);
    const unknown = await server.send('POST', `${source.path.slice(0, -1)}-`, { body: odd });
    expect(unknown.status).toBe(404);
  });
});

test('an error of WooCommerce in place of an order is refused, so that WooCommerce counts it, and not kept', async ({
  server,
  shop,
}) => {
  const woo = await addTestSource(server, shop.team, { kind: 'woocommerce' });
  const body = { code: 'woocommerce_rest_cannot_view', message: 'Sorry.', data: { status: 401 } };
  const { status, body: answer } = await woo.say(body, 'order.updated');
  expect([status, answer.error.message]).toEqual([
    422,
    expect.stringContaining('a user who may read orders'),
  ]);
  expect(await shop.refused()).toEqual([]);
});

test('a webhook of Shopify in XML is kept with the setting that is wrong', async ({ server, shop }) => {
  const shopify = await addTestSource(server, shop.team, { kind: 'shopify' });
  expect((await shopify.say('<?xml version="1.0"?><order/>', 'orders/paid')).status).toBe(200);
  expect(await shop.refused()).toMatchObject([
    { issues: [{ message: 'is XML; choose the format JSON for the webhook' }] },
  ]);
});

test('events that another secret has signed are counted, until the secret is replaced', async ({
  server,
  shop,
}) => {
  const woo = await addTestSource(server, shop.team, { kind: 'woocommerce' });
  const listed = async () => JSON.parse((await shop.command('source', 'list', '--json')).stdout)[0];
  for (let sent = 0; sent < 3; sent++)
    await woo.post(odd, signers.woocommerce(odd, 'another', 'order.updated'));
  await expect.poll(async () => (await listed()).unsignedEvents).toBe(3);
  await replaceSecret(shop.sql, shop.team, woo.id, 'another');
  expect((await listed()).unsignedEvents).toBe(0);
});

test('a source without a secret accepts nothing', async ({ server, shop }) => {
  const source = await addTestSource(server, shop.team, { kind: 'stripe', secret: null });
  expect((await source.say(odd)).status).toBe(401);
});

test('the unsigned ping of WooCommerce is answered with 200, and that of nobody else', async ({
  server,
  shop,
}) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const woo = await addTestSource(server, shop.team, { kind: 'woocommerce' });
  const stripe = await addTestSource(server, shop.team, { kind: 'stripe' });
  expect((await woo.post('webhook_id=7', headers)).status).toBe(200);
  expect((await woo.post('webhook_id=7&x=1', headers)).status).toBe(401);
  expect((await stripe.post('webhook_id=7', headers)).status).toBe(401);
  expect(await shop.refused()).toEqual([]);
});
