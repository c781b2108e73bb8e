import fc from 'fast-check';
import type { StatedRefund, Statement } from '../../../../src/core/orders/merge/statement.js';
import { type Arrival, isMark } from './outcomes.js';
import * as say from './say.js';

/** Hours since the first purchase: of the same day, within three days, and of a later one. */
const hours = fc.constantFrom(0, 1, 2, 30, 240);
const number = fc.constantFrom('1001', '1001', '1002', 'RE-1001');
const buyer = fc.constantFrom('ann', 'ann', 'bob');
const amount = fc.constantFrom('50', '50', '30', '20', '100');
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'USD');
const name = fc.constantFrom('Ann', 'Bob', 'A. Example');

/** Makes records in which keys without a value are missing. */
const record = <T extends object>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
/** Makes true once in `count`. */
const oneIn = (count: number) => fc.nat(count - 1).map((value) => value === 0);

const touch = fc.constantFrom('newsletter', 'search').map((source) => ({ at: say.at(-1), source }) as never);
const visit = {
  name,
  visitorId: fc.constantFrom('visitor-1', 'visitor-2'),
  firstTouch: touch,
  lastTouch: touch,
  items: fc.constantFrom([{ sku: 'TEE' }], [{ sku: 'MUG' }]),
  extra: fc.constantFrom({ coupon: 'MAY' }, { tax: 8 }, { coupon: 'JUNE', tax: 7 }),
};

/** Touches that an earlier order of the visitor gives. */
const earlier = fc.record({ firstTouch: touch, lastTouch: touch });

const extras = {
  created: hours,
  shopOrderId: fc.constantFrom('77', '78', '1001'),
  payment: fc.constantFrom('pi_1', 'ch_1', 'cs_1', 'shop_77'),
};

const pages = fc
  .tuple(
    fc.record({ orderId: number, buyer, amount }),
    record({ ...visit, currency }),
    record(extras),
    oneIn(6),
  )
  .map(([stated, more, extra, isWithoutNumber]): Statement => {
    const { shopOrderId, payment, created } = extra;
    const words: Partial<typeof stated> = { ...stated, ...more };
    if (isWithoutNumber) delete words.orderId;
    return say.page(words as never, {
      created: created ?? 0,
      ...(isWithoutNumber && { reportId: 'report-1' }),
      ...(stated.amount === '20' && shopOrderId && { shopOrderId }),
      ...(stated.amount !== '50' && payment && { payment }),
    });
  });

/** Signed reports. A signature vouches only for buyer, money and number. */
const signedPages = fc
  .record({ orderId: number, buyer, amount, currency })
  .map((stated) => say.signedPage(stated, { created: 0 }));

const files = fc
  .tuple(fc.record({ orderId: number, amount }), record({ buyer, currency, name }), hours)
  .map(([stated, more, created]) => say.file({ ...stated, ...more }, { created }));

const backends = fc
  .tuple(
    fc.record({ buyer, amount }),
    record({ orderId: number, currency, ...visit, earlier, source: fc.constantFrom('STRIPE', 'PAYPAL') }),
    record({
      ...extras,
      changedAt: hours,
      idempotencyKey: fc.constantFrom('key-1', 'pi_1', 'ch_2'),
      isCorrected: oneIn(8).map((is) => is || undefined),
    }),
  )
  .map(([stated, more, extra]): Statement => {
    const given = Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined));
    const idempotencyKey = extra.idempotencyKey ?? (more.orderId ? undefined : 'key-2');
    return say.backend({ ...stated, ...more } as never, {
      ...given,
      ...(idempotencyKey && { idempotencyKey }),
    });
  });

const state = fc.constantFrom('paid', 'paid', 'paid', 'unpaid', 'ended');
const buyerIs = fc.constantFrom('named', 'named', 'named', 'none', 'erased', 'withheld') as fc.Arbitrary<
  NonNullable<Statement['buyer']>
>;
const refundList: fc.Arbitrary<StatedRefund[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('r1', 'r2'), fc.constantFrom('20', '30', '50'), currency, hours), {
    maxLength: 2,
    selector: ([id]) => id,
  })
  .map((list) =>
    list.map(([id, value, of, created]) =>
      say.refundOf(id, value, { currency: of, createdAt: say.at(created) }),
    ),
  );

const objectOf = fc
  .tuple(
    record({ orderId: number, ...visit, earlier }),
    fc.record({ amount, currency, version: hours, buyerIs, person: buyer }),
    record({ askedAt: fc.constantFrom(300, 301), isCorrected: oneIn(8), refunds: refundList }),
  )
  .map(([stated, { amount: value, currency: of, buyerIs: is, person, version }, more]) => {
    const { visitorId, firstTouch, lastTouch, name: called, ...rest } = stated;
    const isNamed = is === 'named';
    const personal = { visitorId, firstTouch, lastTouch, name: called };
    const kept = Object.fromEntries(Object.entries(personal).filter(([, each]) => each !== undefined));
    return {
      stated: { ...rest, amount: value, currency: of, ...(isNamed && { ...kept, buyer: person }) },
      extras: { version, buyerIs: is, ...more } as say.ObjectExtras,
    };
  });

const shopOrders = fc
  .tuple(fc.constantFrom('77', '77', '78'), objectOf, state, oneIn(4), oneIn(3))
  .map(([id, { stated, extras: more }, is, hasPayment, hasSince]) => {
    const created = id === '77' ? 0 : 3;
    return say.shopOrder(id, { orderId: '1001', ...stated } as never, {
      ...more,
      ...(more.isCorrected ? {} : { isCorrected: undefined as never }),
      created,
      state: is as 'paid',
      ...(hasPayment && { links: ['pi_1'] }),
      ...(hasSince && { since: 1 }),
    });
  });

/** Objects of Stripe, each with the links that it can have. Any version may bring a link. */
const ofStripe = [
  { make: say.session, id: 'cs_1', links: ['pi_1'], created: 0 },
  { make: say.session, id: 'cs_2', links: ['in_1'], created: 4 },
  { make: say.invoice, id: 'in_1', links: ['pi_1'], created: 1 },
  { make: say.invoice, id: 'in_2', links: [], created: 2 },
  { make: say.payment, id: 'pi_1', links: ['ch_1', 'in_1'], created: 0 },
  { make: say.payment, id: 'pi_2', links: ['ch_2', 'in_2'], created: 30 },
  { make: say.charge, id: 'ch_1', links: ['pi_1'], created: 1 },
  { make: say.charge, id: 'ch_2', links: ['pi_2', 'in_1'], created: 31 },
  { make: say.charge, id: 'ch_3', links: [], created: 240 },
  { make: say.invoicePayment, id: 'inpay_1', links: ['in_1', 'pi_1'], created: 1 },
  { make: say.invoicePayment, id: 'inpay_2', links: ['in_2', 'pi_1'], created: 2 },
  { make: say.invoicePayment, id: 'inpay_3', links: ['in_1', 'ch_3'], created: 240 },
];
const stripeObjects = fc
  .tuple(fc.constantFrom(...ofStripe), objectOf, fc.nat(3), oneIn(2))
  .map(([{ make, id, links, created }, { stated, extras: more }, mask, hasNumber]) => {
    const { refunds: _, askedAt: _asked, isCorrected: _corrected, ...rest } = more;
    const { orderId: _number, ...words } = stated;
    const isOfInvoicePayment = id.startsWith('inpay');
    return make(id, (hasNumber ? { ...words, orderId: stated.orderId ?? '1001' } : words) as never, {
      ...rest,
      created,
      links: isOfInvoicePayment ? links : links.filter((_link, index) => ((mask + 1) >> index) % 2 === 1),
    });
  });

const refunds = fc
  .tuple(
    fc.constantFrom('re_1', 're_2', 'dp_1'),
    fc.constantFrom('pi_1', 'ch_1', 'ch_2', 'ch_3', 'in_1'),
    fc.constantFrom('10', '20', '50'),
    fc.record({ version: hours, stage: fc.nat(2) }),
    record({ currency }),
  )
  .map(([id, link, value, { version, stage }, more]) =>
    (id === 'dp_1' ? say.dispute : say.refund)(id, value, {
      ...(more.currency && { currency: more.currency }),
      created: id === 're_1' ? 2 : 31,
      version,
      stage,
      state: (['unpaid', 'paid', 'ended'] as const)[stage]!,
      links: [link],
    }),
  );

/** Refunds of `refunds/create` of a shop order, whose list has the same id. */
const shopRefunds = fc
  .tuple(fc.constantFrom('r1', 'r2'), fc.constantFrom('20', '30'), hours)
  .map(([id, value, created]) => ({
    ...say.refund(`shop_77_${id}`, value, { created, version: created, links: ['shop_77'] }),
    refunds: [say.refundOf(id, value, { createdAt: say.at(created) })],
  }));

const backendRefunds = fc
  .tuple(
    fc.constantFrom('b1', 'b2'),
    fc.constantFrom('10', '50', null),
    number,
    fc.constantFrom(undefined, 'backend:1001', 'shop_77', 'ch_1', 'page:1001:ann'),
  )
  .map(([id, value, orderId, of]) => say.backendRefund(id, value, { orderId, ...(of && { of }) }));

const marks = fc
  .constantFrom('shop_77', 'ch_1', 'page:1001:ann', 'backend:1001')
  .map((marked): Arrival => ({ marked }));

/** Statements of orders that a server of 0.4.0 stored from reports with an API key; one for each order. */
const olds = fc
  .tuple(
    fc.constantFrom('legacy:1', 'legacy:2'),
    fc.record({ orderId: number, buyer, amount, currency }),
    fc.subarray(['pi_1', 'ch_1', 'in_1', 'pi_2', 'shop_77']),
    fc.option(refundList),
  )
  .map(([object, stated, ids, list]): Statement => {
    const report = say.backend(stated, { created: 0 });
    const names = [...report.names, ...ids.map((value) => ({ kind: 'provider' as const, value }))];
    return { ...report, object, names, ...(list && { refunds: list }) };
  });

/** Anything that can arrive. It has few identifiers, buyers, amounts and times, so that statements meet in every way. */
const arrival: fc.Arbitrary<Arrival> = fc.oneof(
  { weight: 4, arbitrary: pages },
  { weight: 1, arbitrary: signedPages },
  { weight: 1, arbitrary: files },
  { weight: 4, arbitrary: backends },
  { weight: 6, arbitrary: shopOrders },
  { weight: 8, arbitrary: stripeObjects },
  { weight: 3, arbitrary: refunds },
  { weight: 2, arbitrary: shopRefunds },
  { weight: 2, arbitrary: backendRefunds },
  { weight: 1, arbitrary: marks },
  { weight: 1, arbitrary: olds },
);

/** @returns true for an answer to a question to the shop: a second one is another answer, and no repeat */
const isAnswer = (stated: Arrival | undefined) =>
  stated !== undefined && !isMark(stated) && stated.askedAt != null;

/** Makes random statements. Some are repeats. */
export const arrivals = (maxLength: number): fc.Arbitrary<Arrival[]> =>
  fc
    .tuple(fc.array(arrival, { minLength: 1, maxLength }), fc.array(fc.nat(maxLength - 1), { maxLength: 3 }))
    .map(([stated, repeated]) => [
      ...stated,
      ...repeated
        .slice(0, maxLength - stated.length)
        .flatMap((index) => (isAnswer(stated[index]) ? [] : (stated[index] ?? []))),
    ]);
