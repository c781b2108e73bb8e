import { describe, expect } from 'vitest';
import { type Shop, test } from '../../kit/shop.js';
import { addTestHook } from '../webhooks/kit/hooks.js';
import { annsVisitor, paidOrder } from './kit/shopifySamples.js';
import { addTestSource, type TestSource } from './kit/sources.js';
import { charge, invoice, invoicePayment, stripeEvent } from './kit/stripeSamples.js';
import { meta, wooOrder } from './kit/wooCommerceSamples.js';

/** Sends an event. Resolves with its outcomes. */
async function say(source: TestSource, topic: string, payload: unknown): Promise<string[]> {
  const { status, body } = await source.say(payload, topic);
  expect([topic, status]).toEqual([topic, 200]);
  return body.data.outcomes;
}

/** Emails of the people of a team. */
const peopleOf = async ({ sql, team }: Shop) =>
  (await sql`select email from person where team_id = ${team} order by email`).map(({ email }) => email);

const ann = 'ann@shop.example';
const bob = 'bob@shop.example';
const landings = Buffer.from('1772000000000 news.example ?utm_source=letter /').toString('base64');
const way = [meta('_orderbeacon_visitor', annsVisitor), meta('_orderbeacon_landings', landings)];
const note_attributes = way.map(({ key, value }) => ({ name: key, value }));

/** Shop systems whose events have a whole order, as it is at an hour. */
const shops = {
  woocommerce: {
    topic: 'order.updated',
    at: (hour: string, more: object = {}, id = 723) =>
      wooOrder(id, {
        // Later than the source was added. An order that was paid and erased before is ignored.
        date_paid_gmt: `${new Date().getUTCFullYear() + 1}-03-01T10:00:04`,
        date_modified_gmt: `2026-03-02T${hour}:00:00`,
        meta_data: way,
        ...more,
      }),
    named: (email: string) => ({ billing: { first_name: 'Ann', last_name: 'Example', email } }),
    emptied: { billing: { first_name: 'Ann', email: '' } },
    total: (total: string) => ({ total }),
  },
  shopify: {
    topic: 'orders/updated',
    at: (hour: string, more: object = {}, id = 723) =>
      paidOrder(id, { updated_at: `2026-03-02T${hour}:00:00Z`, note_attributes, ...more }),
    named: (email: string) => ({ email, contact_email: email }),
    emptied: { email: '', contact_email: null, customer: null },
    none: { email: null, contact_email: null, customer: null, billing_address: null, note_attributes: [] },
    total: (total: string) => ({
      total_price: total,
      total_price_set: undefined,
      current_total_price: total,
    }),
  },
} as const;

const kinds = ['woocommerce', 'shopify'] as const;
const unknownBuyer = {
  email: expect.stringMatching(/-order-723@no-email\.invalid$/),
  buyerName: null,
  name: null,
  visitorId: null,
  firstTouch: null,
  lastTouch: null,
};

test.for(kinds)(
  'an event of %s in which only the time is newer tells nobody and writes no order, and its time counts',
  async (kind, { shop }) => {
    const { topic, at, total } = shops[kind];
    const source = await addTestSource(shop.server, shop.team, { kind });
    await addTestHook(shop.sql, shop.team, { events: ['order.changed'] });
    for (const hour of ['10', '11', '12', '13', '14']) await say(source, topic, at(hour));
    expect(await shop.stored()).toMatchObject([{ mergedAt: null }]);
    expect(await shop.sql`select from hook_delivery where team_id = ${shop.team}`).toHaveLength(0);
    await say(source, topic, at('13', total('60.00')));
    expect(await shop.stored()).toMatchObject([{ amount: '49.9', mergedAt: null }]);
    await say(source, topic, at('15', total('70.00')));
    expect(await shop.stored()).toMatchObject([{ amount: '70' }]);
  },
);

describe.each(kinds)('a shop of %s that corrects a mistyped email', (kind) => {
  const { topic, at, named } = shops[kind];

  test('has one buyer, whose visitor and touches stay, and nobody is left', async ({ shop }) => {
    const source = await addTestSource(shop.server, shop.team, { kind });
    await say(source, topic, at('10', named('amn@shop.example')));
    await say(source, topic, at('11', named(ann)));
    expect(await shop.stored()).toMatchObject([
      { email: ann, visitorId: annsVisitor, firstTouch: { source: 'letter' } },
    ]);
    expect(await peopleOf(shop)).toEqual([ann]);
    const { id: sequenceId } = JSON.parse(
      (await shop.command('sequence', 'create', '--name', 'S', '--json')).stdout,
    );
    expect((await shop.enroll({ email: 'amn@shop.example', sequenceId })).status).toBe(404);
    expect((await shop.enroll({ email: ann, sequenceId })).status).toBe(200);
  });

  test('loses nobody who has another order, or an enrollment', async ({ shop }) => {
    const source = await addTestSource(shop.server, shop.team, { kind });
    const { id: sequenceId } = JSON.parse(
      (await shop.command('sequence', 'create', '--name', 'S', '--json')).stdout,
    );
    await say(source, topic, at('10', named(bob), 1));
    await say(source, topic, at('10', named(bob), 2));
    await say(source, topic, at('10', named('cid@shop.example'), 3));
    await shop.enroll({ email: 'cid@shop.example', sequenceId });
    for (const id of [1, 3]) await say(source, topic, at('11', named(ann), id));
    expect(await peopleOf(shop)).toEqual([ann, bob, 'cid@shop.example']);
  });
});

test('two orders of Stripe that turn out to be one leave no buyer behind', async ({ shop }) => {
  const source = await addTestSource(shop.server, shop.team, { kind: 'stripe' });
  const paid = {
    metadata: { visitorId: annsVisitor },
    currency: 'eur',
    amount: 1_500,
    amount_captured: 1_500,
  };
  await say(
    source,
    '',
    stripeEvent('charge.succeeded', charge({ ...paid, billing_details: { email: bob } })),
  );
  await say(source, '', stripeEvent('invoice.paid', invoice()));
  await say(source, '', stripeEvent('invoice_payment.paid', invoicePayment()));
  expect(await shop.stored()).toMatchObject([{ email: ann, visitorId: annsVisitor }]);
  expect(await peopleOf(shop)).toEqual([ann]);
});

/** Makes the texts of WordPress' eraser in an order of WooCommerce, in English or German. */
const eraser = (word: string) => ({
  billing: { first_name: word, last_name: word, email: 'deleted@site.invalid', phone: '0-000-000-0000' },
  shipping: { first_name: word, last_name: word },
  customer_id: 0,
});

describe('what the shop has forgotten of a buyer is forgotten here:', () => {
  test.for<[string, 'woocommerce' | 'shopify', object]>([
    ['the eraser of WordPress', 'woocommerce', eraser('[deleted]')],
    ['the eraser of WordPress in German', 'woocommerce', eraser('[gelöscht]')],
    ['an email emptied in WooCommerce', 'woocommerce', shops.woocommerce.emptied],
    ['Shopify’s redaction', 'shopify', shops.shopify.none],
    ['an email emptied in Shopify', 'shopify', shops.shopify.emptied],
  ])('%s', async ([_, kind, forgotten], { shop }) => {
    const { topic, at, named } = shops[kind];
    const source = await addTestSource(shop.server, shop.team, { kind });
    await addTestHook(shop.sql, shop.team);
    await shop.report({ orderId: '723', email: ann, visitorId: 'v', landings, name: 'Ann', note: 'for Ann' });
    await say(source, topic, at('10', named(ann)));
    await say(source, topic, at('11', forgotten));
    const [order] = await shop.stored();
    expect(order).toMatchObject({ ...unknownBuyer, amount: '49.9' });
    expect(await peopleOf(shop)).toEqual([order!.email]);
    const rows = await shop.sql`select data from hook_delivery where team_id = ${shop.team}`;
    for (const text of [JSON.stringify(order), JSON.stringify(rows)])
      expect(text).not.toMatch(/ann@|Ann|letter|"v"/);
    // Later reports restore no buyer, unless they are the shop's own.
    await say(source, topic, at('10', named(ann)));
    expect((await shop.report({ orderId: '723', email: ann, visitorId: 'v' })).status).toBe(409);
    await shop.reportByKey({ orderId: '723', email: ann, currency: 'EUR', name: 'Ann' });
    await say(source, topic, at('12', { ...forgotten, ...shops[kind].total('60.00') }));
    expect(await shop.stored()).toMatchObject([{ ...unknownBuyer, amount: '60' }]);
    expect(await shop.refused()).toEqual([]);
    await say(source, topic, at('13', named(bob)));
    expect(await shop.stored()).toMatchObject([{ email: bob }]);
    expect(await peopleOf(shop)).toEqual([bob]);
  });

  test('orders of two erased buyers belong to two people, whom nobody can enroll', async ({ shop }) => {
    const { topic, at, named } = shops.woocommerce;
    const source = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
    await say(source, topic, at('10', named(ann), 1));
    for (const id of [1, 2]) await say(source, topic, at('11', eraser('[deleted]'), id));
    const emails = (await shop.stored()).map(({ email }) => email);
    expect(emails).toEqual(['woocommerce-order-1@no-email.invalid', 'woocommerce-order-2@no-email.invalid']);
    const { id: sequenceId } = JSON.parse(
      (await shop.command('sequence', 'create', '--name', 'S', '--json')).stdout,
    );
    for (const email of [...emails, 'deleted@site.invalid', ann])
      expect((await shop.enroll({ email, sequenceId })).status).toBe(404);
  });
});
