import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleRefunds } from '../src/orders/settleRefunds.js';
import { listRefunds } from '../src/orders/sql/listRefunds.js';
import { removeSource } from '../src/sources/addSource.js';
import type { Uuid } from '../src/values/ids.js';
import { replay, waitingOf } from './refused.js';
import { startTestServer } from './server.js';
import { paidOrder, refundOf, returned } from './shopifySamples.js';
import { addTestSource, type TestSource } from './sources.js';
import { meta, wooOrder } from './wooCommerceSamples.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let shopify: TestSource;
let woo: TestSource;
beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  shopify = await addTestSource(server, team.uuid, { kind: 'shopify' });
  woo = await addTestSource(server, team.uuid, { kind: 'woocommerce' });
});
afterAll(() => server.close());

/** An event: its topic and payload. */
type Event = [topic: string, payload: unknown];

/** Sends an event. Resolves with its outcomes. */
async function say(source: TestSource, [topic, payload]: Event): Promise<string[]> {
  const { status, body } = await source.say(payload, topic);
  expect([topic, status]).toEqual([topic, 200]);
  return body.data.outcomes;
}

/** The stored orders with that id, live and test, each with its refunds. */
async function stored(orderId: string) {
  await settleRefunds(server.sql, team.uuid);
  const orders = await server.sql<{ id: Uuid }[]>`
    select o.id, o.is_test as "isTest", o.amount::float, o.currency, o.source, o.name, o.reported_by as "reportedBy",
      o.visitor_id as "visitorId", o.extra, o.items, o.first_touch as "firstTouch", p.email, o.created_at as "createdAt"
    from placed_order o join person p on p.team_id = o.team_id and p.id = o.person_id
    where o.team_id = ${team.uuid} and o.order_id = ${orderId} order by o.is_test`;
  const refunds = [];
  for (const { id } of orders) refunds.push(...(await listRefunds(server.sql, team.uuid, id)));
  return {
    orders: orders.map(({ id: _, ...order }) => order),
    refunds: refunds.map(({ refundId, counted, reason, createdAt }) => ({
      refundId,
      amount: Number(counted),
      reason,
      createdAt,
    })),
  };
}

const page = (orderId: string, more: object = {}) =>
  server.report({
    teamId: team.teamId,
    email: 'ann@shop.example',
    amount: 49.9,
    currency: 'EUR',
    orderId,
    ...more,
  });

const kept = () => server.sql<{ body: string; field: string }[]>`
  select body, field from refused_report where team_id = ${team.uuid} order by received_at desc, id desc`;

let ids = 10_000;
const nextId = () => ++ids;

describe('Shopify', () => {
  it('stores a paid order once, with every field, whatever it repeats', async () => {
    const id = nextId();
    const events: Event[] = [
      ['orders/create', paidOrder(id, { financial_status: 'pending' })],
      ['orders/paid', paidOrder(id)],
      ['orders/paid', paidOrder(id)],
      ['orders/updated', paidOrder(id)],
    ];
    const outcomes: string[] = [];
    for (const event of events) outcomes.push(...(await say(shopify, event)));
    expect(outcomes).toEqual(['ignored', 'new', 'known', 'known']);
    expect((await stored(String(id))).orders).toMatchObject([
      {
        isTest: false,
        amount: 49.9,
        currency: 'EUR',
        source: 'OTHER',
        name: 'Ann Example',
        email: 'ann@shop.example',
        reportedBy: 'key',
        visitorId: 'visitor-of-ann',
        extra: { tax: 7.97, shipping: 5, discount: 5, coupons: ['SPRING'], shopOrder: '#1001' },
        items: [{ productId: 7, sku: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 }],
        createdAt: new Date('2026-03-01T09:00:00Z'),
      },
    ]);
  });

  it('is believed over a page, whichever is first', async () => {
    const [first, second] = [nextId(), nextId()];
    await page(String(first), { amount: 1, visitorId: 'of-the-page', items: [{ name: 'Cap' }] });
    await say(shopify, ['orders/paid', paidOrder(first, { note_attributes: [] })]);
    await say(shopify, ['orders/paid', paidOrder(second, { note_attributes: [] })]);
    await page(String(second), { amount: 1, visitorId: 'of-the-page', items: [{ name: 'Cap' }] });
    for (const id of [first, second])
      expect((await stored(String(id))).orders).toMatchObject([
        { amount: 49.9, reportedBy: 'both', visitorId: 'of-the-page', items: [{ name: 'T-shirt' }] },
      ]);
  });

  it('stores its test orders as tests, and those of a test source, too', async () => {
    const id = nextId();
    const sample = paidOrder(id, { test: true, financial_status: 'voided' });
    expect(await say(shopify, ['orders/paid', sample])).toEqual(['new']);
    expect(await say(shopify, ['orders/paid', paidOrder(id)])).toEqual(['new']);
    expect((await stored(String(id))).orders).toMatchObject([{ isTest: false }, { isTest: true }]);
    const tests = await addTestSource(server, team.uuid, { kind: 'shopify', isTest: true });
    const other = nextId();
    await say(tests, ['orders/paid', paidOrder(other)]);
    await say(tests, ['refunds/create', refundOf(other, nextId(), [returned(nextId(), '1.00')])]);
    expect(await stored(String(other))).toMatchObject({
      orders: [{ isTest: true }],
      refunds: [{ amount: 1 }],
    });
  });

  it('keeps an order without an email for somebody to add it, and stores the next one', async () => {
    const [till, id] = [nextId(), nextId()];
    const noEmail = { email: null, contact_email: null, customer: null };
    expect(await say(shopify, ['orders/paid', paidOrder(till, noEmail)])).toEqual(['kept']);
    const [report] = await kept();
    expect(report!.field).toBe('email');
    expect(JSON.parse(report!.body)).toMatchObject({
      orderId: String(till),
      amount: 49.9,
      teamId: team.teamId,
    });
    expect(await say(shopify, ['orders/paid', paidOrder(id)])).toEqual(['new']);
  });

  it('keeps a refund whose amount cannot be read for somebody to report it', async () => {
    const id = nextId();
    await say(shopify, ['orders/paid', paidOrder(id)]);
    const refund = refundOf(id, nextId(), [returned(nextId(), '10,00')]);
    expect(await say(shopify, ['refunds/create', refund])).toEqual(['kept']);
    expect((await kept())[0]).toMatchObject({ field: 'amount', body: expect.stringContaining('10,00') });
    const [listed] = await waitingOf(server.sql, team.uuid);
    expect(listed).toMatchObject({
      reason: 'refund_not_stored',
      amount: null,
      body: expect.stringContaining(String(id)),
    });
    // Corrected as an order, it would be one.
    const changes = { email: 'ann@shop.example', amount: 10, orderId: String(nextId()) };
    const replayed = await replay(server.sql, team.uuid, { ids: [listed!.id] }, { changes });
    expect([...replayed]).toMatchObject([{ outcome: { kind: 'refused', code: 'refund_not_stored' } }]);
    expect((await stored(changes.orderId)).orders).toEqual([]);
    const refunds = [{ id: nextId(), reason: '', total: '-10,00' }];
    expect(await say(woo, ['order.updated', wooOrder(nextId(), { refunds })])).toEqual(['new', 'kept']);
  });

  it('does not keep an order without an email again once it is stored with one', async () => {
    const id = nextId();
    const noEmail = { email: null, contact_email: null, customer: null };
    const byKey = { email: 'ann@shop.example', amount: 49.9, currency: 'EUR', orderId: String(id) };
    // A page's report is not enough, because its amount may be wrong.
    await page(String(id), { amount: 5 });
    expect(await say(shopify, ['orders/paid', paidOrder(id, noEmail)])).toEqual(['kept']);
    await server.reportByKey(await server.addKey(team.uuid), { teamId: team.teamId, ...byKey });
    const before = (await kept()).length;
    const more = {
      refunds: [refundOf(id, 1, [returned(nextId(), '1.00')])],
      financial_status: 'partially_refunded',
    };
    expect(await say(shopify, ['orders/updated', paidOrder(id, { ...noEmail, ...more })])).toEqual([
      'known',
      'refund',
    ]);
    expect(await kept()).toHaveLength(before);
  });

  it('has no order without an email in the list that is stored with one, also when the source is removed', async () => {
    const source = await addTestSource(server, team.uuid, { kind: 'shopify' });
    const [id, waiting] = [nextId(), nextId()];
    for (const order of [id, waiting])
      await say(source, [
        'orders/paid',
        paidOrder(order, { email: null, contact_email: null, customer: null }),
      ]);
    expect(await say(source, ['orders/paid', paidOrder(id)])).toEqual(['new']);
    await removeSource(server.sql, team.uuid, source.id);
    const listed = (await waitingOf(server.sql, team.uuid)).map(({ orderId }) => orderId);
    expect(listed).toContain(String(waiting));
    expect(listed).not.toContain(String(id));
  });

  it('refunds as much as it said of an order that only a page has reported, with less', async () => {
    const [id, one, two] = [nextId(), nextId(), nextId()];
    await page(String(id), { amount: 5 });
    await say(shopify, ['refunds/create', refundOf(id, 1, [returned(one, '20.00'), returned(two, '40.00')])]);
    expect((await stored(String(id))).refunds).toMatchObject([{ amount: 5 }, { amount: 0 }]);
    await say(shopify, ['orders/paid', paidOrder(id)]);
    expect((await stored(String(id))).refunds).toMatchObject([{ amount: 20 }, { amount: 29.9 }]);
  });

  it('cuts a refund that is more than is left of the order', async () => {
    const id = nextId();
    const [one, two] = [nextId(), nextId()];
    await say(shopify, ['orders/paid', paidOrder(id)]);
    await say(shopify, ['refunds/create', refundOf(id, 1, [returned(one, '30.00'), returned(two, '30.00')])]);
    expect((await stored(String(id))).refunds).toMatchObject([
      { refundId: String(one), amount: 30 },
      { refundId: String(two), amount: 19.9 },
    ]);
  });
});

describe('WooCommerce', () => {
  it('stores a paid order once, with every field, whatever it repeats', async () => {
    const id = nextId();
    const unpaid = { status: 'on-hold', date_paid: null, date_paid_gmt: null, payment_method: 'bacs' };
    const events: Event[] = [
      ['order.created', wooOrder(id, unpaid)],
      ['order.updated', wooOrder(id)],
      ['order.updated', wooOrder(id, { status: 'completed' })],
      ['order.deleted', { id }],
    ];
    const outcomes: string[] = [];
    for (const event of events) outcomes.push(...(await say(woo, event)));
    expect(outcomes).toEqual(['ignored', 'new', 'known', 'ignored']);
    expect((await stored(String(id))).orders).toMatchObject([
      {
        isTest: false,
        amount: 49.9,
        currency: 'EUR',
        source: 'STRIPE',
        name: 'Ann Example',
        email: 'ann@shop.example',
        reportedBy: 'key',
        visitorId: 'visitor-of-ann',
        extra: { tax: 7.97, shipping: 4.2, discount: 4.2, coupons: ['spring'] },
        items: [{ productId: 71, sku: 'TEE-M', name: 'T-shirt - M', quantity: 2, price: 24.95 }],
        createdAt: new Date('2026-03-01T10:00:04Z'),
      },
    ]);
  });

  it('meets the page by the order number, and has the way of the visitor from the order', async () => {
    const id = nextId();
    const landings = Buffer.from('1772000000000 news.example ?utm_source=letter /').toString('base64');
    await page(`W-${id}`);
    await say(woo, [
      'order.updated',
      wooOrder(id, { number: `W-${id}`, meta_data: [meta('_orderbeacon_landings', landings)] }),
    ]);
    expect((await stored(`W-${id}`)).orders).toMatchObject([
      { reportedBy: 'both', firstTouch: { source: 'letter', referrer: 'news.example' } },
    ]);
  });

  it('stores each refund once, however often the order is told', async () => {
    const id = nextId();
    const [one, two] = [nextId(), nextId()];
    const refunds = [{ id: one, reason: 'Too small', total: '-10.00' }];
    expect(await say(woo, ['order.updated', wooOrder(id, { refunds })])).toEqual(['new', 'refund']);
    expect(await say(woo, ['order.updated', wooOrder(id, { refunds })])).toEqual(['known', 'known']);
    refunds.unshift({ id: two, reason: '', total: '-39.90' });
    const whole = wooOrder(id, { refunds, status: 'refunded' });
    expect(await say(woo, ['order.updated', whole])).toEqual(['known', 'refund', 'known']);
    expect((await stored(String(id))).refunds).toMatchObject([
      { refundId: String(one), amount: 10, reason: 'Too small' },
      { refundId: String(two), amount: 39.9, reason: null },
    ]);
  });
});

/** A list in an order that a seed decides. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  const place = (at: number) => hash('sha256', `${seed}/${at}`);
  return list
    .map((entry, at) => ({ entry, place: place(at) }))
    .sort((a, b) => a.place.localeCompare(b.place))
    .map(({ entry }) => entry);
}

it.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'events of Shopify and a page end in the same state in any order, seed %i',
  async (seed) => {
    const id = nextId();
    const refunds = [
      refundOf(id, 1, [returned(id * 10, '20.00')]),
      refundOf(id, 2, [returned(id * 10 + 1, '9.90')]),
    ];
    const cancelled = { cancelled_at: '2026-03-05T09:00:00+01:00', financial_status: 'partially_refunded' };
    const events: (() => Promise<unknown>)[] = [
      () => say(shopify, ['orders/create', paidOrder(id, { financial_status: 'authorized' })]),
      () => say(shopify, ['orders/paid', paidOrder(id)]),
      () => say(shopify, ['orders/updated', paidOrder(id)]),
      () => say(shopify, ['refunds/create', refunds[0]]),
      () => say(shopify, ['refunds/create', refunds[1]]),
      () => say(shopify, ['orders/cancelled', paidOrder(id, { ...cancelled, refunds })]),
      () => page(String(id), { amount: 5, visitorId: 'of-the-page' }),
    ];
    for (const event of shuffled(events, seed)) await event();
    // A page keeps the time at which it reported, if it was first.
    const { orders, refunds: given } = await stored(String(id));
    expect(orders).toMatchObject([{ amount: 49.9, reportedBy: 'both', visitorId: 'visitor-of-ann' }]);
    expect(given).toMatchObject([
      { refundId: String(id * 10), amount: 20, createdAt: new Date('2026-03-05T08:00:00Z') },
      { refundId: String(id * 10 + 1), amount: 9.9 },
    ]);
  },
);

it.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'events of WooCommerce and a page end in the same state in any order, seed %i',
  async (seed) => {
    const id = nextId();
    const unpaid = { status: 'pending', date_paid: null, date_paid_gmt: null };
    const one = { id: id * 10, reason: 'Too small', total: '-10.00' };
    const two = { id: id * 10 + 1, reason: '', total: '-39.90' };
    const events: (() => Promise<unknown>)[] = [
      () => say(woo, ['order.created', wooOrder(id, unpaid)]),
      () => say(woo, ['order.updated', wooOrder(id)]),
      () => say(woo, ['order.updated', wooOrder(id, { status: 'completed', refunds: [one] })]),
      () => say(woo, ['order.updated', wooOrder(id, { status: 'refunded', refunds: [two, one] })]),
      () => say(woo, ['order.deleted', { id }]),
      () => page(String(id), { amount: 5 }),
    ];
    for (const event of shuffled(events, seed)) await event();
    expect(await stored(String(id))).toMatchObject({
      orders: [{ amount: 49.9, reportedBy: 'both', visitorId: 'visitor-of-ann' }],
      refunds: [
        { refundId: String(one.id), amount: 10 },
        { refundId: String(two.id), amount: 39.9 },
      ],
    });
  },
);

it('the same events at the same time are one order and one refund', async () => {
  const id = nextId();
  const refund = refundOf(id, 1, [returned(id * 10, '20.00')]);
  const event: Event = [
    'orders/updated',
    paidOrder(id, { refunds: [refund], financial_status: 'partially_refunded' }),
  ];
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => say(shopify, event)));
  expect(outcomes.filter(([order]) => order === 'new')).toHaveLength(1);
  expect(outcomes.filter(([, given]) => given === 'refund')).toHaveLength(1);
  expect(await stored(String(id))).toMatchObject({ orders: [{ amount: 49.9 }], refunds: [{ amount: 20 }] });
});

it.each<[string, object]>([
  ['a reason with NUL and half a surrogate pair', { note: `a${String.fromCharCode(0)}b\ud83d` }],
  ['a reason of 10,000 characters', { note: 'x'.repeat(10_000) }],
  ['a refund id of 10,000 characters', { transactions: [returned(1, '1.00', { id: 'x'.repeat(10_000) })] }],
  ['an order id of 10,000 characters', { order_id: 'x'.repeat(10_000) }],
  ['an order id with NUL', { order_id: `a${String.fromCharCode(0)}b` }],
  ['no money', { transactions: [returned(1, '0.00')] }],
  ['negative money', { transactions: [returned(1, '-1.00')] }],
  ['money beyond every bound', { transactions: [returned(1, '1', { amount: 1e300 })] }],
  ['a time that is none', { transactions: [returned(nextId(), '1.00', { processed_at: 'soon' })] }],
  [
    'a time before the common era',
    { transactions: [returned(nextId(), '1.00', { processed_at: '-000044-03-15' })] },
  ],
])('a refund with %s is answered with 200', async (_title, more) => {
  const id = nextId();
  await say(shopify, ['orders/paid', paidOrder(id)]);
  const outcomes = await say(shopify, [
    'refunds/create',
    { ...refundOf(id, 1, [returned(nextId(), '1.00')]), ...more },
  ]);
  expect(outcomes).toHaveLength(1);
});

it.each<[string, object]>([
  ['a name with NUL', { customer: { first_name: `A${String.fromCharCode(0)}`, last_name: 'B' } }],
  ['a name of 1,000 characters', { customer: { first_name: 'x'.repeat(1_000) } }],
  [
    '1,000 lines',
    {
      line_items: Array.from({ length: 1_000 }, (_, at) => ({
        title: `Line ${at}`,
        quantity: 1,
        price: '1.00',
      })),
    },
  ],
  [
    'lines that are none',
    { line_items: [null, 1, 'x', [], { title: { a: 1 }, quantity: 'many', price: {} }] },
  ],
  [
    '1,000 coupons of 255 characters',
    { discount_codes: Array.from({ length: 1_000 }, () => ({ code: 'x'.repeat(255) })) },
  ],
  ['a visitor of 1,000 characters', { note_attributes: [{ name: 'visitorId', value: 'v'.repeat(1_000) }] }],
  ['landings that are none', { note_attributes: [{ name: '_orderbeacon_landings', value: '<script>' }] }],
  ['a tax that is none', { total_tax: 'none', total_tax_set: null }],
  ['a time that is none', { processed_at: 'soon', created_at: {} }],
])('an order with %s is stored nevertheless', async (_title, more) => {
  const id = nextId();
  expect(await say(shopify, ['orders/paid', paidOrder(id, more)])).toEqual(['new']);
});
