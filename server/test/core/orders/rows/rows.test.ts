import { describe, expect } from 'vitest';
import { encodeId } from '../../../../src/values/ids.js';
import { paidOrder, refundOf, returned } from '../../../features/sources/kit/shopifySamples.js';
import { addTestSource } from '../../../features/sources/kit/sources.js';
import {
  charge,
  dispute,
  invoice,
  invoicePayment,
  payment,
  refund,
  session,
  stripeEvent,
} from '../../../features/sources/kit/stripeSamples.js';
import { wooOrder } from '../../../features/sources/kit/wooCommerceSamples.js';
import { test } from '../../../kit/shop.js';
import { expectInEveryOrder, openShopkeeper, permutations, type Step } from './shopkeeper.js';

const ann = 'ann@shop.example';
const bob = 'bob@shop.example';
const year = new Date().getUTCFullYear() + 1;
/** Returns a time that is later than every page's report of the test. */
const later = (hour: number) => `${year}-03-02T${hour}:00:00`;
const metadata = { orderId: '1007' };
const paidCharge = (name: string, amount: number, more: object = {}) =>
  charge({
    id: `ch_${name}`,
    payment_intent: `pi_${name}`,
    amount,
    amount_captured: amount,
    currency: 'eur',
    metadata,
    ...more,
  });

describe('payments', () => {
  const paidBy =
    (name: string, amount: number, more: object = {}): Step =>
    ({ stripe }) =>
      stripe('charge.succeeded', paidCharge(name, amount, more), amount);

  test('two of one number are two orders, also where a backend has taken the id of the first as its key', async ({
    server,
  }) => {
    const backend: Step = ({ reportByKey }) =>
      reportByKey({ email: ann, amount: 50, currency: 'EUR', orderId: '1007' }, { idempotencyKey: 'pi_a' });
    await expectInEveryOrder(
      server,
      [backend, paidBy('a', 5000), paidBy('b', 3000)],
      [
        ['1007', ann, 30, 0],
        ['1007', ann, 50, 0],
      ],
    );
  });

  test('of an invoice in parts add up, and a refund of the last is a part', async ({ server }) => {
    const linkOf =
      (name: string, amount: number): Step =>
      ({ stripe }) =>
        stripe(
          'invoice_payment.paid',
          invoicePayment({
            id: `inpay_${name}`,
            amount_paid: amount,
            payment: { type: 'payment_intent', payment_intent: `pi_${name}` },
          }),
          amount,
        );
    await expectInEveryOrder(
      server,
      [paidBy('a', 3000), linkOf('a', 3000), paidBy('b', 2500, { metadata: {} }), linkOf('b', 2500)],
      [['1007', ann, 55, 0]],
    );
    const shop = await openShopkeeper(server);
    for (const step of [paidBy('a', 3000), linkOf('a', 3000), paidBy('b', 2500), linkOf('b', 2500)])
      await step(shop);
    await shop.stripe(
      'refund.created',
      refund({ charge: 'ch_b', payment_intent: 'pi_b', amount: 2500, currency: 'eur' }),
    );
    expect(await shop.counted()).toEqual([['1007', ann, 55, 25]]);
  });

  test('one of two invoices is an order of each', async ({ server }) => {
    const link =
      (invoiceId: string, amount: number, name = 'a'): Step =>
      ({ stripe }) =>
        stripe(
          'invoice_payment.paid',
          invoicePayment({
            id: `inpay_${invoiceId}_${name}`,
            invoice: invoiceId,
            amount_paid: amount,
            payment: { type: 'payment_intent', payment_intent: `pi_${name}` },
          }),
          amount,
        );
    const steps = [link('in_2', 4000), paidBy('a', 10_000), link('in_1', 6000)];
    for (const sequence of permutations(steps)) {
      const shop = await openShopkeeper(server);
      for (const step of sequence) await step(shop);
      expect((await shop.counted()).map(([, , amount]) => amount)).toEqual([40, 60]);
      // The payment has left the order of the second invoice, which still states its id.
      for (const step of [link('in_1', 3000, 'b'), paidBy('b', 3000)]) await step(shop);
      expect((await shop.counted()).map(([, , amount]) => amount)).toEqual([40, 90]);
    }
  });

  test('whose link to a paid invoice comes late are a part of it', async ({ server }) => {
    const paid: Step = ({ stripe }) =>
      stripe('invoice.paid', invoice({ id: 'in_1', amount_paid: 43_931, metadata, parent: null }), 1);
    const first: Step = ({ stripe }) =>
      stripe(
        'invoice_payment.paid',
        invoicePayment({
          id: 'inpay_1',
          invoice: 'in_1',
          amount_paid: 22_619,
          payment: { type: 'payment_intent', payment_intent: 'pi_a' },
        }),
        2,
      );
    const link: Step = ({ stripe }) =>
      stripe(
        'invoice_payment.paid',
        invoicePayment({
          id: 'inpay_2',
          invoice: 'in_1',
          amount_paid: 21_312,
          payment: { type: 'payment_intent', payment_intent: 'pi_b' },
        }),
        3,
      );
    await expectInEveryOrder(server, [paid, first, paidBy('b', 21_312), link], [['1007', ann, 439.31, 0]]);
  });

  test('that name another email than their session keep the visitor of the page', async ({ server }) => {
    const page: Step = ({ report }) =>
      report({ email: ann, amount: 49.9, orderId: '1007', visitorId: 'v', items: [{ sku: 'a' }] });
    const wallet: Step = ({ stripe }) =>
      stripe(
        'charge.succeeded',
        charge({ billing_details: { email: 'wallet@shop.example', name: null }, metadata }),
      );
    const event: Step = ({ stripe }) => stripe('checkout.session.completed', session({ metadata }), 1);
    for (const steps of [
      [page, wallet, event],
      [wallet, page, event],
      [wallet, event, page],
      [event, wallet, page],
      [event, page, wallet],
      [page, event, wallet],
    ]) {
      const shop = await openShopkeeper(server);
      for (const step of steps) await step(shop);
      expect(await shop.counted()).toEqual([['1007', ann, 49.9, 0]]);
      const names = steps.map((step) => (step === page ? 'page' : step === wallet ? 'charge' : 'session'));
      const [{ visitorId, items }] = (await shop.stored()) as [Record<string, unknown>];
      expect([names, visitorId, items]).toEqual([names, 'v', [{ sku: 'a' }]]);
    }
  });

  test('whom no document named first are named by the one that does', async ({ server }) => {
    const steps: Step[] = [
      ({ stripe }) => stripe('payment_intent.succeeded', payment({ receipt_email: null, metadata }), 1),
      ({ report }) => report({ email: bob, amount: 49.9, orderId: '1007' }),
      ({ stripe }) => stripe('charge.succeeded', charge({ metadata }), 0),
    ];
    await expectInEveryOrder(server, steps, [['1007', ann, 49.9, 0]]);
  });

  test('linked by their session late keep the items of a page that prints the session', async ({
    server,
  }) => {
    const steps: Step[] = [
      ({ report }) =>
        report({
          email: ann,
          amount: 49.9,
          orderId: 'cs_live_a1B2c3D4e5F6',
          visitorId: 'v',
          items: [{ sku: 'a' }],
        }),
      ({ stripe }) => stripe('charge.succeeded', charge()),
      ({ stripe }) => stripe('checkout.session.completed', session(), 1),
    ];
    await expectInEveryOrder(server, steps, [['cs_live_a1B2c3D4e5F6', ann, 49.9, 0]]);
    const shop = await openShopkeeper(server);
    for (const step of steps) await step(shop);
    expect(await shop.stored()).toMatchObject([{ visitorId: 'v', items: [{ sku: 'a' }] }]);
  });

  test('in yen lose no dispute in dollars, whichever was first', async ({ server }) => {
    const steps: Step[] = [
      ({ stripe }) => stripe('charge.dispute.closed', dispute({ amount: 3_500, currency: 'usd' })),
      ({ stripe }) =>
        stripe(
          'charge.succeeded',
          charge({ amount: 5_000, amount_captured: 5_000, currency: 'jpy', metadata }),
        ),
    ];
    await expectInEveryOrder(server, steps, [['1007', ann, 5_000, 0]]);
  });

  test('keep their id where a page goes from them to the shop order of their number', async ({ server }) => {
    const shop = await openShopkeeper(server);
    await paidBy('a', 5000)(shop);
    await shop.report({ email: ann, amount: 50, currency: 'EUR', orderId: '1007' });
    const [paid] = await shop.stored();
    await shop.woo(wooOrder(230, { number: '1007', total: '40.00' }));
    expect(await shop.stored()).toMatchObject([
      { id: paid!.id, amount: '50', reportedBy: 'key' },
      { amount: '40', reportedBy: 'both' },
    ]);
  });

  test('give their number to the next one when the first goes', async ({ server }) => {
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
    const again = await shop.reportByKey(
      { email: ann, amount: 30, currency: 'EUR', orderId: '1007' },
      { key },
    );
    expect(again.body.data).toMatchObject({ id: encodeId('ord', second!.id), isNew: false });
    expect(await shop.stored()).toHaveLength(1);
  });
});

describe('shop orders', () => {
  const unpaid = { date_paid: null, date_paid_gmt: null, transaction_id: '' };
  const page =
    (more: object = {}): Step =>
    ({ report }) =>
      report({ email: ann, amount: 49.9, currency: 'EUR', orderId: '230', ...more });

  test('that end unpaid return nothing of a page of another buyer', async ({ server }) => {
    const end: Step = ({ woo }) =>
      woo(wooOrder(230, { ...unpaid, status: 'failed', total: '19.90', date_modified_gmt: later(10) }));
    for (const steps of [
      [end, page({ email: bob, amount: 100 })],
      [page({ email: bob, amount: 100 }), end],
    ]) {
      const shop = await openShopkeeper(server);
      for (const step of steps) await step(shop);
      expect(await shop.counted()).toEqual([['230', bob, 100, 0]]);
    }
  });

  test.for(['failed', 'cancelled', 'trash'])(
    'that end unpaid, as %s, before the page take it back',
    async (status, { server }) => {
      const shop = await openShopkeeper(server);
      await shop.sourceOf('woocommerce');
      await shop.woo(wooOrder(230, { ...unpaid, status, date_modified_gmt: later(10) }));
      await page()(shop);
      expect(await shop.counted()).toEqual([['230', ann, 49.9, 49.9]]);
    },
  );

  test('that were paid and are no more return the rest, and count once they are paid again', async ({
    server,
  }) => {
    for (const status of ['failed', 'on-hold', 'pending']) {
      const shop = await openShopkeeper(server);
      await shop.woo(wooOrder(230));
      await shop.woo(wooOrder(230, { status, date_modified_gmt: later(10) }));
      expect(await shop.counted()).toEqual([['230', ann, 49.9, 49.9]]);
      await shop.woo(wooOrder(230, { date_modified_gmt: later(11) }));
      expect(await shop.counted()).toEqual([['230', ann, 49.9, 0]]);
    }
  });

  test('whose refund is deleted with the same time of change have it no more', async ({ server }) => {
    const shop = await openShopkeeper(server);
    await shop.woo(wooOrder(230, { refunds: [{ id: 1, total: '-10.00' }], date_modified_gmt: later(10) }));
    await shop.woo(wooOrder(230, { date_modified_gmt: later(10) }));
    expect(await shop.counted()).toEqual([['230', ann, 49.9, 0]]);
  });

  test('that fail and are paid at the same moment as their page is known count', async ({ server }) => {
    for (let at = 0; at < 40; at++) {
      const shop = await openShopkeeper(server);
      await shop.sourceOf('woocommerce');
      await page()(shop);
      await Promise.all([
        shop.woo(wooOrder(230, { ...unpaid, status: 'failed', date_modified_gmt: later(10) })),
        shop.woo(wooOrder(230, { date_modified_gmt: later(11) })),
      ]);
      expect(await shop.counted()).toEqual([['230', ann, 49.9, 0]]);
    }
  });

  test('numbered later are found by both numbers, with a page of either', async ({ server }) => {
    const steps: Step[] = [
      ({ woo }) => woo(wooOrder(230)),
      page({ orderId: 'RE-230', shopOrderId: '230' }),
      ({ woo }) => woo(wooOrder(230, { number: 'RE-230', date_modified_gmt: later(10) })),
    ];
    for (const sequence of [
      [0, 1],
      [1, 0],
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [2, 0, 1],
    ]) {
      const shop = await openShopkeeper(server);
      for (const at of sequence) await steps[at]!(shop);
      await shop.settle();
      const orders = await shop.stored();
      expect([sequence, orders.length]).toEqual([sequence, 1]);
      for (const id of ['230', 'RE-230'])
        expect([sequence, id, (await shop.read(id)).status]).toEqual([sequence, id, 200]);
    }
    const shop = await openShopkeeper(server);
    await shop.sourceOf('woocommerce');
    // By the clock of each server, the page's report is later than its source.
    await shop.sql`update source set created_at = created_at - interval '1 minute' where team_id = ${shop.team}`;
    await page()(shop);
    await shop.woo(
      wooOrder(230, { ...unpaid, number: 'RE-230', status: 'cancelled', date_modified_gmt: later(10) }),
    );
    expect(await shop.counted()).toEqual([['230', ann, 49.9, 49.9]]);
  });

  test('numbered later are one, also where pages alone report both numbers', async ({ server }) => {
    await expectInEveryOrder(
      server,
      [page(), page({ orderId: 'RE-230', shopOrderId: '230' })],
      [[expect.stringMatching(/230$/), ann, 49.9, 0]],
    );
  });

  test('whose email was corrected are those of a page with the first', async ({ server }) => {
    const steps: Step[] = [
      ({ woo }) => woo(wooOrder(230)),
      ({ woo }) =>
        woo(wooOrder(230, { billing: { email: 'anne@shop.example' }, date_modified_gmt: later(10) })),
      page({ visitorId: 'v' }),
    ];
    await expectInEveryOrder(server, steps, [['230', 'anne@shop.example', 49.9, 0]]);
    const shop = await openShopkeeper(server);
    for (const step of steps) await step(shop);
    expect(await shop.stored()).toMatchObject([{ reportedBy: 'both' }]);
  });

  test('of Shopify whose deposit alone was paid and returned hold nothing', async ({ server }) => {
    const refunds = [refundOf(230, 9, [returned(90, '78.73', { order_id: 230 })])];
    const cancelled: Step = ({ shopify }) =>
      shopify(
        paidOrder(230, {
          name: '230',
          current_total_price: '0.00',
          total_price: '236.20',
          financial_status: 'refunded',
          cancelled_at: `${later(9)}Z`,
          updated_at: `${later(10)}Z`,
          refunds,
        }),
      );
    for (const steps of [
      [page({ amount: 236.2 }), cancelled],
      [cancelled, page({ amount: 236.2 })],
    ]) {
      const shop = await openShopkeeper(server);
      for (const step of steps) await step(shop);
      const [[, , amount, refunded]] = (await shop.counted()) as [[string, string, number, number]];
      expect(amount - refunded).toBe(0);
    }
  });

  test('of 2023 that a retention job erases are no news', async ({ server }) => {
    const shop = await openShopkeeper(server);
    expect(
      await shop.woo(
        wooOrder(230, {
          billing: { email: '' },
          meta_data: [{ id: 1, key: '_anonymized', value: 'yes' }],
          date_created_gmt: '2023-03-01T10:00:00',
          date_paid_gmt: '2023-03-01T10:00:00',
          date_modified_gmt: later(10),
        }),
      ),
    ).toEqual(['ignored']);
    expect(await shop.stored()).toEqual([]);
  });
});

describe('backends', () => {
  test('whose Idempotency-Key is the number of another order keep both', async ({ server }) => {
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

  test('the same without a word between', async ({ server }) => {
    const shop = await openShopkeeper(server);
    await shop.reportByKey({ orderId: undefined, email: ann, amount: 50 }, { idempotencyKey: '1007' });
    await shop.reportByKey({ orderId: '1007', email: ann, amount: 50 }, { idempotencyKey: 'other' });
    await shop.reportByKey({ orderId: '1007', email: ann, amount: 50 }, { idempotencyKey: '1007' });
    expect((await shop.counted()).length).toBeLessThan(3);
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

  test('a refund by ord_ of a discarded order is here when it is reported again', async ({ server }) => {
    const shop = await openShopkeeper(server);
    const key = await shop.testKey();
    const report = { email: ann, orderId: '1', amount: 50 };
    const { id } = (await shop.reportByKey(report, { key })).body.data;
    expect((await shop.refund({ orderId: id, refundId: 'r', amount: 10 }, { key })).status).toBe(200);
    await shop.discard(id);
    expect(await shop.counted()).toEqual([]);
    await shop.reportByKey(report, { key });
    expect(await shop.counted()).toEqual([['1', ann, 50, 10]]);
    expect((await shop.refund({ orderId: '1', refundId: 'r', amount: 10 }, { key })).status).toBe(200);
    expect(await shop.counted()).toEqual([['1', ann, 50, 10]]);
  });
});
