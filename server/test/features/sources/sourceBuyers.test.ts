import { describe, expect } from 'vitest';
import { type Shop, test } from '../../kit/shop.js';
import { addTestHook } from '../webhooks/kit/hooks.js';
import { annsVisitor, paidOrder } from './kit/shopifySamples.js';
import { addTestSource, type TestSource } from './kit/sources.js';
import { charge, invoice, invoicePayment, payment, stripeEvent } from './kit/stripeSamples.js';
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
    none: { billing: { email: '' }, shipping: {}, meta_data: [] },
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

describe.each(kinds)('a shop of %s whose clock is not ours:', (kind) => {
  const { topic, at, total } = shops[kind];

  test('of two totals the later change counts, though both lie ahead of our clock', async ({ shop }) => {
    const source = await addTestSource(shop.server, shop.team, { kind });
    const year = new Date().getUTCFullYear() + 1;
    const ahead = (second: number, amount: string) => {
      const time = `${year}-01-01T00:00:0${second}`;
      const changed = kind === 'shopify' ? { updated_at: `${time}Z` } : { date_modified_gmt: time };
      return at('10', { ...total(amount), ...changed });
    };
    await say(source, topic, ahead(5, '60.00'));
    await say(source, topic, ahead(4, '50.00'));
    expect(await shop.stored()).toMatchObject([{ amount: '60' }]);
    await say(source, topic, ahead(6, '70.00'));
    expect(await shop.stored()).toMatchObject([{ amount: '70' }]);
  });

  test('an event in which only the time is newer tells nobody and writes no order, and its time counts', async ({
    shop,
  }) => {
    const source = await addTestSource(shop.server, shop.team, { kind });
    await addTestHook(shop.sql, shop.team, { events: ['order.changed'] });
    for (const hour of ['10', '11', '12', '13', '14']) await say(source, topic, at(hour));
    expect(await shop.stored()).toMatchObject([{ mergedAt: null }]);
    expect(await shop.sql`select from hook_delivery where team_id = ${shop.team}`).toHaveLength(0);
    await say(source, topic, at('13', total('60.00')));
    expect(await shop.stored()).toMatchObject([{ amount: '49.9', mergedAt: null }]);
    await say(source, topic, at('15', total('70.00')));
    expect(await shop.stored()).toMatchObject([{ amount: '70' }]);
  });
});

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

  test('keeps what the page said of the buyer’s way', async ({ shop }) => {
    const source = await addTestSource(shop.server, shop.team, { kind });
    const without = { meta_data: [], note_attributes: [] };
    await shop.report({ orderId: '723', email: 'amn@shop.example', visitorId: 'v', landings });
    await say(source, topic, at('10', { ...named('amn@shop.example'), ...without }));
    await say(source, topic, at('11', { ...named(ann), ...without }));
    expect(await shop.stored()).toMatchObject([
      { email: ann, visitorId: 'v', firstTouch: { source: 'letter' }, reportedBy: 'both' },
    ]);
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

test('a payment of Stripe whose invoice came first keeps its visitor, and leaves nobody behind', async ({
  shop,
}) => {
  const source = await addTestSource(shop.server, shop.team, { kind: 'stripe' });
  const paid = {
    metadata: { visitorId: annsVisitor },
    currency: 'eur',
    amount: 1_500,
    amount_captured: 1_500,
  };
  const details = { email: bob, name: 'Bob' };
  await say(source, '', stripeEvent('invoice_payment.paid', invoicePayment()));
  await say(source, '', stripeEvent('charge.succeeded', charge({ ...paid, billing_details: details })));
  await say(source, '', stripeEvent('invoice.paid', invoice()));
  expect(await shop.stored()).toMatchObject([{ email: ann, visitorId: annsVisitor, amount: '15' }]);
  expect(await peopleOf(shop)).toEqual([ann]);
  await say(source, '', stripeEvent('payment_intent.succeeded', payment({ receipt_email: bob })));
  expect(await peopleOf(shop)).toEqual([ann]);
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
  const forgets: [string, 'woocommerce' | 'shopify', object][] = [
    ['the eraser of WordPress', 'woocommerce', eraser('[deleted]')],
    ['the eraser of WordPress in German', 'woocommerce', eraser('[gelöscht]')],
    ['an email emptied in WooCommerce', 'woocommerce', shops.woocommerce.emptied],
    ['Shopify’s redaction', 'shopify', shops.shopify.none],
    ['an email emptied in Shopify', 'shopify', shops.shopify.emptied],
  ];

  test.for(forgets)('%s', async ([_, kind, forgotten], { shop }) => {
    const { topic, at, named } = shops[kind];
    const source = await addTestSource(shop.server, shop.team, { kind });
    await addTestHook(shop.sql, shop.team);
    await shop.report({ orderId: '723', email: ann, visitorId: 'v', landings, name: 'Ann', note: 'for Ann' });
    await say(source, topic, at('10', named(ann)));
    await say(source, topic, at('11', forgotten));
    const [order] = await shop.stored();
    expect(order).toMatchObject({ ...unknownBuyer, amount: '49.9' });
    expect(await peopleOf(shop)).toEqual([order!.email]);
    expect(JSON.stringify((await shop.read('723')).body.data.keys)).not.toMatch(/forgotten|named-by/);
    const rows = await shop.sql`select data from hook_delivery where team_id = ${shop.team}`;
    for (const text of [JSON.stringify(order), JSON.stringify(rows)])
      expect(text).not.toMatch(/ann@|Ann|letter|"v"/);
    expect(JSON.stringify(rows)).not.toMatch(/forgotten|named-by/);
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

  test.for(forgets)(
    '%s, which comes before the events with the email',
    async ([_, kind, forgotten], { shop }) => {
      const { topic, at, named } = shops[kind];
      const source = await addTestSource(shop.server, shop.team, { kind });
      await addTestHook(shop.sql, shop.team);
      await say(source, topic, at('11', forgotten));
      const [sent] = await shop.sql`select data from hook_delivery where team_id = ${shop.team}`;
      expect(JSON.stringify(sent)).not.toMatch(/forgotten|named-by/);
      await say(source, topic, at('10', named(ann)));
      expect(await shop.stored()).toMatchObject([unknownBuyer]);
      expect(await peopleOf(shop)).toEqual([unknownBuyer.email]);
    },
  );

  test.for(forgets)(
    '%s, after a page and before any other event',
    async ([title, kind, forgotten], { shop }) => {
      const { topic, at } = shops[kind];
      const source = await addTestSource(shop.server, shop.team, { kind });
      await shop.report({ orderId: '723', email: ann, visitorId: 'v' });
      await say(source, topic, at('11', forgotten));
      // Only the eraser's texts show that there was a buyer. A till never asks for the email.
      const expected = title.includes('eraser') ? unknownBuyer : { email: ann };
      expect(await shop.stored()).toMatchObject([expected]);
    },
  );

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

  test('an order that a till never had an email of keeps the buyer whom a backend names', async ({
    shop,
  }) => {
    const { topic, at, none, named } = shops.shopify;
    const source = await addTestSource(shop.server, shop.team, { kind: 'shopify' });
    for (const isFirst of [true, false]) {
      const orderId = isFirst ? 1 : 2;
      if (isFirst) await say(source, topic, at('10', none, orderId));
      await shop.reportByKey({ orderId: `${orderId}`, email: ann, currency: 'EUR' });
      for (const hour of ['11', '12']) await say(source, topic, at(hour, none, orderId));
    }
    expect(await shop.stored()).toMatchObject([{ email: ann }, { email: ann }]);
    // The shop names the buyer later, and erases them after that.
    await say(source, topic, at('13', named(ann), 1));
    await say(source, topic, at('14', none, 1));
    expect((await shop.stored()).map(({ email }) => email)).toEqual([
      'shopify-order-1@no-email.invalid',
      ann,
    ]);
  });
});
