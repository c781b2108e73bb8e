import { expect } from 'vitest';
import { encodeId } from '../../../../src/values/ids.js';
import { addTestSource } from '../../../features/sources/kit/sources.js';
import { charge, stripeEvent } from '../../../features/sources/kit/stripeSamples.js';
import { wooOrder } from '../../../features/sources/kit/wooCommerceSamples.js';
import { test } from '../../../kit/shop.js';
import { openShopkeeper } from './shopkeeper.js';

const ann = 'ann@shop.example';
const bob = 'bob@shop.example';
/** Makes a charge for the order 1007. */
const paidCharge = (name: string, amount: number) =>
  charge({
    id: `ch_${name}`,
    payment_intent: `pi_${name}`,
    amount,
    amount_captured: amount,
    currency: 'eur',
    metadata: { orderId: '1007' },
  });

test('a payment keeps its id where a page goes from it to the shop order of its number', async ({
  server,
}) => {
  const shop = await openShopkeeper(server);
  await shop.stripe('charge.succeeded', paidCharge('a', 5_000));
  await shop.report({ email: ann, amount: 50, currency: 'EUR', orderId: '1007' });
  const [paid] = await shop.stored();
  await shop.woo(wooOrder(230, { number: '1007', total: '40.00' }));
  expect(await shop.stored()).toMatchObject([
    { id: paid!.id, amount: '50', reportedBy: 'key' },
    { amount: '40', reportedBy: 'both' },
  ]);
});

test('a payment that goes gives its number to the next one', async ({ server }) => {
  const shop = await openShopkeeper(server);
  const key = await shop.testKey();
  const stripe = await addTestSource(server, shop.team, { kind: 'stripe', isTest: true });
  for (const [name, amount] of [
    ['f', 5_000],
    ['g', 3_000],
  ] as const)
    await stripe.say(stripeEvent('charge.succeeded', paidCharge(name, amount)));
  const [first, second] = await shop.stored();
  await shop.discard(encodeId('ord', first!.id));
  expect((await shop.read('1007', { key })).body.data?.id).toBe(encodeId('ord', second!.id));
  const again = await shop.reportByKey({ email: ann, amount: 30, currency: 'EUR', orderId: '1007' }, { key });
  expect(again.body.data).toMatchObject({ id: encodeId('ord', second!.id), isNew: false });
  expect(await shop.stored()).toHaveLength(1);
});

test('a shop order that fails and is paid at the same moment counts, though a page has reported it', async ({
  server,
}) => {
  const unpaid = { date_paid: null, date_paid_gmt: null, transaction_id: '', status: 'failed' };
  // Later than the page's report.
  const later = (hour: number) => `${new Date().getUTCFullYear() + 1}-03-02T${hour}:00:00`;
  for (let at = 0; at < 40; at++) {
    const shop = await openShopkeeper(server);
    await shop.sourceOf('woocommerce');
    await shop.report({ email: ann, amount: 49.9, currency: 'EUR', orderId: '230' });
    await Promise.all([
      shop.woo(wooOrder(230, { ...unpaid, date_modified_gmt: later(10) })),
      shop.woo(wooOrder(230, { date_modified_gmt: later(11) })),
    ]);
    expect(await shop.counted()).toEqual([['230', ann, 49.9, 0]]);
  }
});

test('an Idempotency-Key that is the number of another order loses neither', async ({ server }) => {
  const shop = await openShopkeeper(server);
  await shop.reportByKey({ orderId: undefined, email: bob, amount: 10 }, { idempotencyKey: '1007' });
  await shop.reportByKey({ orderId: '1007', email: ann, amount: 50 });
  await shop.report({ orderId: '1007', email: ann, amount: 50, visitorId: 'v' });
  await shop.reportByKey({ orderId: '1007', email: ann, amount: 50 }, { idempotencyKey: 'retry' });
  expect(await shop.counted()).toEqual([
    [null, bob, 10, 0],
    ['1007', ann, 50, 0],
  ]);
  await shop.reportByKey({ orderId: '1007', email: ann, amount: 50 }, { idempotencyKey: '1007' });
  expect(await shop.counted()).toEqual([
    [null, bob, 10, 0],
    ['1007', ann, 50, 0],
  ]);
});

test('a contact stays when its page’s order goes to another buyer', async ({ server }) => {
  const shop = await openShopkeeper(server);
  await shop.command('person', 'add', '--email', ann);
  await shop.report({ email: ann, orderId: '1', amount: 5 });
  await shop.reportByKey({ email: bob, orderId: '1', amount: 5 });
  await shop.settle();
  expect(await shop.sql`select email from person where team_id = ${shop.team} order by email`).toEqual([
    { email: ann },
    { email: bob },
  ]);
});
