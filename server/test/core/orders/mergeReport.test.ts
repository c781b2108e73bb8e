import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldNames } from '../../../src/core/orders/fields.js';
import { type Merge, mergeReport } from '../../../src/core/orders/mergeReport.js';
import type { JudgedReport } from '../../../src/core/orders/report.js';
import type { StoredOrder, Words } from '../../../src/core/orders/storedOrder.js';
import { fewAndMany } from '../../kit/fewAndMany.js';
import { everyMergeCase, judgedReport, type MergeCase, signedReport, storedOrder } from './mergeCases.js';

/** The words of a report by speaker. */
function wordsOf({ by, report }: MergeCase): { page: Words | null; key: Words | null } {
  if (by === 'signed page') return { page: report.said!.page!, key: report.said!.key! };
  const said = [...fieldNames, 'personId' as const].map((name) => [name, report[name]]);
  const words: Words = { ...Object.fromEntries(said), amount: String(report.amount) };
  return by === 'key' ? { page: null, key: words } : { page: words, key: null };
}

function factsOf({ stored, speakers, by, report }: MergeCase) {
  const isOther = !stored.isErased && stored.personId !== report.personId;
  const isConflict = stored.isErased ? by !== 'key' : isOther && (by === 'page' || speakers.key !== null);
  return { isConflict, isDropped: isOther && !isConflict };
}

type Given = MergeCase & ReturnType<typeof factsOf> & { merged: Merge; order: StoredOrder | undefined };

/** A rule in plain words: what must be so where it applies; undefined where it does not. */
const rules: Record<string, (given: Given) => boolean | undefined> = {
  'a page of another buyer is a conflict, a signed page and a key too once a key has named the buyer': ({
    merged,
    isConflict,
  }) => (merged.kind === 'conflict') === isConflict,
  'each field is what keys said, else what pages said: the first word of each counts, pages after keys fill the visitor alone':
    (given) => {
      const { order, stored, speakers, isDropped } = given;
      if (!order || stored.isErased) return undefined;
      const said = wordsOf(given);
      return fieldNames.every((name) => {
        const before = isDropped ? { page: null, key: null } : speakers;
        const mayFill = before.key === null || ['visitorId', 'firstTouch', 'lastTouch'].includes(name);
        const page = before.page?.[name] ?? (mayFill ? said.page?.[name] : null);
        const key = before.key?.[name] ?? said.key?.[name];
        return order[name] === (key ?? page ?? null);
      });
    },
  'of pages that named another buyer than the first key nothing stays, not even the time': ({
    order,
    stored,
    report,
    isDropped,
  }) =>
    order && isDropped
      ? order.personId === report.personId &&
        order.reportId === null &&
        order.createdAt.toISOString() === report.createdAt
      : order && order.personId === stored.personId && order.createdAt <= stored.createdAt,
  'the order of an erased buyer takes its money from the first key, and nothing else': ({
    order,
    stored,
    report,
  }) => {
    if (!order || !stored.isErased) return undefined;
    const { amount, source } = stored.reportedBy === 'browser' ? report : stored;
    const taken = { ...stored, amount: String(amount), source, reportedBy: order.reportedBy };
    return JSON.stringify(order) === JSON.stringify(taken);
  },
  'it says who has reported it: pages, keys, or both': ({ order, speakers, by, isDropped, stored }) => {
    if (!order || stored.isErased) return undefined;
    const isByPage = by !== 'key' || (speakers.page !== null && !isDropped);
    const isByKey = by !== 'page' || speakers.key !== null;
    return order.reportedBy === (isByPage && isByKey ? 'both' : isByKey ? 'key' : 'browser');
  },
  'id, number and mode stay, and an order counts as changed just where it differs': ({
    order,
    stored,
    merged,
  }) =>
    order &&
    [order.id, order.orderNumber, order.isTest].join() ===
      [stored.id, stored.orderNumber, stored.isTest].join() &&
    (merged.kind === 'changed') === (JSON.stringify(order) !== JSON.stringify(stored)),
  'the same report again changes nothing': ({ order, report }) =>
    order && mergeReport([order], report).kind === 'unchanged',
};

describe('in every combination of a stored order and a report,', () => {
  const judged = Object.entries(rules).map(([title, rule]) => ({
    title,
    rule,
    applied: 0,
    broken: [] as Given[],
  }));
  beforeAll(() => {
    for (const each of everyMergeCase()) {
      const merged = mergeReport([each.stored], each.report);
      const order = 'order' in merged ? merged.order : undefined;
      const given = { ...each, ...factsOf(each), merged, order };
      for (const one of judged) {
        const holds = one.rule(given);
        if (holds === undefined) continue;
        one.applied++;
        if (!holds && one.broken.length < 3) one.broken.push(given);
      }
    }
  });

  it.each(judged)('$title', ({ title }) => {
    const { broken, applied } = judged.find((one) => one.title === title)!;
    expect(broken).toEqual([]);
    expect(applied).toBeGreaterThan(300);
  });
});

const key = (
  name: string,
  money: { amount: string; currency: string | null } | null = { amount: '10', currency: 'USD' },
) => ({
  key: name,
  amount: money?.amount ?? null,
  currency: money?.currency ?? null,
});

describe('a report is known', () => {
  it.each<[string, Partial<StoredOrder>, Partial<JudgedReport>, Merge['kind']]>([
    ['by its orderId', { orderId: 'x' }, { orderId: 'x' }, 'unchanged'],
    [
      'by a page’s reportId',
      { reportId: 'r', reportedBy: 'browser', source: 'OTHER' },
      { reportId: 'r', keyHash: null, source: 'OTHER' },
      'unchanged',
    ],
    ['by its Idempotency-Key', { keys: [key('k')] }, { idempotencyKey: 'k' }, 'unchanged'],
    ['by an id of the provider', { keys: [key('pi_1', null)] }, { keys: ['pi_1', 'ch_1'] }, 'unchanged'],
    ['never in the other mode', { orderId: 'x', isTest: true }, { orderId: 'x' }, 'unknown'],
    [
      'by its Idempotency-Key, and gives the order its orderId',
      { keys: [key('k')] },
      { orderId: 'x', idempotencyKey: 'k' },
      'changed',
    ],
    [
      'never by the order of another payment',
      { orderId: 'x', keys: [key('pi_1', null)] },
      { orderId: 'x', keys: ['pi_2'] },
      'another',
    ],
    [
      'though its ids are of another kind than those of the order',
      { orderId: 'x', keys: [key('pi_1', null)] },
      { orderId: 'x', keys: ['in_2'] },
      'unchanged',
    ],
    [
      'as a conflict where a key names another buyer than a key',
      { orderId: 'x' },
      { orderId: 'x', personId: 'bob' },
      'conflict',
    ],
    [
      'though the buyer had no email',
      { orderId: 'x', personId: 'none', hasNoEmail: true },
      { orderId: 'x' },
      'changed',
    ],
    [
      'though its buyer has no email',
      { orderId: 'x' },
      { orderId: 'x', personId: 'none', email: 'stripe-1@no-email.invalid' },
      'unchanged',
    ],
  ])('%s', (_, of, said, kind) => {
    expect(mergeReport([storedOrder(of)], judgedReport(said)).kind).toBe(kind);
  });

  it.each(['orderId', 'email', 'amount', 'currency'])(
    'never by an Idempotency-Key that came with another %s, which is named',
    (field) => {
      const other = {
        orderId: { orderId: 'y' },
        email: { personId: 'bob' },
        amount: { amount: 11 },
        currency: { currency: 'EUR' },
      }[field]!;
      const stored = storedOrder({ orderId: 'x', keys: [key('k')] });
      expect(mergeReport([stored], judgedReport({ orderId: 'x', idempotencyKey: 'k', ...other }))).toEqual({
        kind: 'reused',
        fields: [field],
      });
    },
  );

  it('by the orderId where its Idempotency-Key leads to another order, which keeps the key', () => {
    const named = storedOrder({ id: 'named', orderId: 'x', reportedBy: 'browser' });
    const keyed = storedOrder({ id: 'keyed', keys: [key('k')] });
    const report = judgedReport({ orderId: 'x', idempotencyKey: 'k', name: 'Ann' });
    for (const stored of [
      [named, keyed],
      [keyed, named],
    ])
      expect(mergeReport(stored, report)).toMatchObject({
        kind: 'changed',
        order: { id: 'named', name: 'Ann', reportedBy: 'both' },
        newKeys: [],
      });
  });
});

describe('the name of a buyer', () => {
  const by = { page: { keyHash: null }, key: {}, 'test key': { isTest: true } };
  it.each([
    [null, 'page', true],
    [null, 'test key', true],
    ['page', 'page', false],
    ['page', 'key', true],
    ['page', 'test key', false],
    ['key', 'key', false],
  ] as const)('given by %s before, a %s replaces: %s', (buyerNamedBy, who, namesBuyer) => {
    const report = judgedReport({ orderId: 'x', name: 'Ann', ...by[who] });
    const stored = storedOrder({ orderId: 'x', buyerNamedBy, isTest: report.isTest });
    expect(mergeReport([stored], report)).toMatchObject({ namesBuyer });
  });
});

/** Applies these reports in order. Returns the stored orders and the result of each report. */
function store(reports: JudgedReport[]) {
  let rows: StoredOrder[] = [];
  const kinds = reports.map((report) => {
    const merged = mergeReport(rows, report);
    const names = report.idempotencyKey === null ? report.keys : [...report.keys, report.idempotencyKey];
    const asKey = (name: string) =>
      key(
        name,
        name === report.idempotencyKey ? { amount: String(report.amount), currency: report.currency } : null,
      );
    if (merged.kind === 'unknown' || merged.kind === 'another') {
      const { keyHash, signedAsTest, said = null, createdAt, amount } = report;
      rows.push(
        storedOrder({
          ...Object.fromEntries(fieldNames.map((name) => [name, report[name]])),
          id: report.id,
          personId: report.personId,
          reportId: report.reportId,
          isTest: report.isTest,
          amount: String(amount),
          said,
          reportedBy: keyHash !== null ? 'key' : signedAsTest === undefined ? 'browser' : 'both',
          createdAt: new Date(createdAt),
          changedAt: report.changedAt === null ? null : new Date(report.changedAt),
          keys: names.map(asKey),
          sharesIdWith: merged.kind === 'another' ? merged.of : null,
        }),
      );
    } else if ('order' in merged) {
      const { order, absorbed, newKeys } = merged;
      const keys = [...order.keys, ...absorbed.flatMap((other) => other.keys), ...newKeys.map(asKey)];
      rows = rows
        .filter(({ id }) => !absorbed.some((other) => other.id === id))
        .map((row) => (row.id === order.id ? { ...order, keys } : row));
    }
    return merged.kind;
  });
  return { rows, kinds };
}

const orNull = <T>(...values: T[]) => fc.constantFrom(null, ...values);
const fields = {
  name: orNull('A', 'B'),
  items: orNull([{ sku: 'A' }], [{ sku: 'B' }]),
  visitorId: orNull('v-A', 'v-B'),
};
let count = 0;
const made = (more: Partial<JudgedReport>) => judgedReport({ id: `order-${++count}`, orderId: 'x', ...more });
const inAnyOrder = (reports: fc.Arbitrary<JudgedReport[]>) =>
  reports.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
/** An order without what depends on which report came first. */
const saidOf = ({ id, keys, said, ...order }: StoredOrder) => ({
  ...order,
  keys: keys.map(({ key }) => key).sort(),
});

for (const { numRuns, tags } of fewAndMany(500))
  describe(`reports of all kinds, in any order, ${numRuns} times:`, { tags }, () => {
    it('those of pages alone, and of keys alone, that contradict each other nowhere make the same order', () => {
      const truth = { name: 'A', items: [{ sku: 'A' }], visitorId: 'v-A' };
      const names = Object.keys(truth) as (keyof typeof truth)[];
      const keyHash = fc.constantFrom(null, 'hash');
      const one = (by: string | null) =>
        fc
          .subarray(names)
          .map((said) =>
            made({ ...Object.fromEntries(said.map((name) => [name, truth[name]])), keyHash: by }),
          );
      const some = keyHash.chain((by) => fc.array(one(by), { minLength: 1, maxLength: 6 }));
      fc.assert(
        fc.property(inAnyOrder(some), ([reports, shuffled]) => {
          expect(store(shuffled).rows.map(saidOf)).toEqual(store(reports).rows.map(saidOf));
        }),
        { numRuns },
      );
    });

    it('the events of one payment make one order with all its ids, and the words of the latest', () => {
      const event = (keys: string[], second: number, more: Partial<JudgedReport> = {}) =>
        made({
          orderId: null,
          keys,
          changedAt: new Date(second * 1_000).toISOString(),
          name: `at ${second}`,
          ...more,
        });
      const events = fc.subarray(
        [
          event(['pi_1', 'ch_1'], 1, { amount: 9, personId: 'office' }),
          event(['in_1', 'pi_1'], 2, { items: [{ sku: 'A' }] }),
          event(['cs_1', 'in_1'], 3),
        ],
        { minLength: 2 },
      );
      const latest = event(['cs_1', 'pi_1'], 4, { orderId: '1001' });
      const page = fc
        .constantFrom('1001', 'cs_1')
        .map((orderId) =>
          made({ orderId, keys: orderId === 'cs_1' ? ['cs_1'] : [], keyHash: null, visitorId: 'v' }),
        );
      const all = fc.tuple(events, page).map(([some, ofPage]): JudgedReport[] => [...some, latest, ofPage]);
      fc.assert(
        fc.property(inAnyOrder(all), ([reports, shuffled]) => {
          const { rows } = store(shuffled);
          expect(rows).toMatchObject([
            {
              orderId: '1001',
              name: 'at 4',
              amount: '10',
              visitorId: 'v',
              personId: 'ann',
              reportedBy: 'both',
            },
          ]);
          expect(rows.map(saidOf)).toEqual(store(reports).rows.map(saidOf));
        }),
        { numRuns },
      );
    });

    it.each([
      ['payments', 'bob', ['pi', 'ch'], ['cs', 'pi']],
      ['payments of one buyer', 'ann', ['pi', 'ch'], ['cs', 'pi']],
      ['orders of a shop and one buyer', 'ann', ['de-woocommerce'], ['de-woocommerce']],
      ['orders of Shopify', 'bob', ['shopify'], ['shopify']],
    ])('two %s with one orderId are two orders, each with its ids', (_, buyer, first, later) => {
      const of = (payment: number, ids: string[], personId: string) =>
        made({ orderId: '1001', keys: ids.map((id) => `${id}_${payment}`), personId, amount: payment });
      const all = fc.constant<JudgedReport[]>([
        ...[of(1, first, 'ann'), of(1, later, 'ann')],
        ...[of(2, first, buyer), of(2, later, buyer)],
      ]);
      fc.assert(
        fc.property(inAnyOrder(all), ([, shuffled]) => {
          const { rows } = store([...shuffled, ...shuffled]);
          const seen = rows.map(({ personId, amount, orderId }) => [personId, amount, orderId]).sort();
          expect(seen).toEqual([
            ['ann', '1', '1001'],
            [buyer, '2', '1001'],
          ]);
          expect(rows.filter(({ sharesIdWith }) => sharesIdWith !== null)).toHaveLength(1);
        }),
        { numRuns: numRuns / 5 },
      );
    });

    const any = fc
      .record({
        ...fields,
        amount: fc.constantFrom(1, 2),
        currency: fc.constantFrom('USD', 'EUR'),
        source: fc.constantFrom('STRIPE' as const, 'PAYPAL' as const),
        personId: fc.constantFrom('ann', 'bob'),
        by: fc.constantFrom('page', 'key'),
        isTest: fc.boolean(),
        orderId: orNull('x', 'y'),
        ownId: orNull('k', 'l'),
      })
      .map(({ by, ownId, ...more }) =>
        made({
          ...more,
          keyHash: by === 'key' ? 'hash' : null,
          idempotencyKey: by === 'key' ? ownId : null,
          reportId: by === 'key' || more.orderId !== null ? null : ownId,
        }),
      );
    const mixed = fc.array(any, { maxLength: 10 });

    it('whatever pages say and when, all that keys said of an orderId is stored as it is without them', () => {
      const ofOneOrder = mixed.map((reports) =>
        reports.map((report) => ({ ...report, isTest: false, orderId: 'x', reportId: null })),
      );
      fc.assert(
        fc.property(ofOneOrder, (reports) => {
          const alone = store(reports.filter(({ keyHash }) => keyHash !== null)).rows[0];
          if (!alone) return;
          const { rows } = store(reports);
          expect(rows).toHaveLength(1);
          expect(rows[0]!.personId).toBe(alone.personId);
          for (const name of fieldNames)
            if (alone[name] !== null) expect(rows[0]![name]).toEqual(alone[name]);
        }),
        { numRuns },
      );
    });

    it('a signed order has its money and its buyer, whatever other pages say, before or after', () => {
      const lie = fc
        .record({ ...fields, amount: fc.constantFrom(1, 50), personId: fc.constantFrom('ann', 'bob') })
        .map((more) => made({ source: 'OTHER', ...more, keyHash: null }));
      const signed = () => ({ ...signedReport({ orderId: 'x', amount: 50 }), id: `order-${++count}` });
      fc.assert(
        fc.property(fc.array(lie, { maxLength: 4 }), fc.nat(4), (lies, at) => {
          const { rows } = store(lies.toSpliced(at, 0, signed(), signed()));
          expect(rows).toMatchObject([
            { amount: '50', personId: 'ann', source: 'OTHER', reportedBy: 'both' },
          ]);
        }),
        { numRuns },
      );
    });

    it('no two orders of a mode share an identifier, and each orderId that was not refused is stored', () => {
      fc.assert(
        fc.property(mixed, (reports) => {
          const { rows, kinds } = store(reports);
          const ids = rows.flatMap(({ isTest, orderId, reportId, keys }) =>
            [orderId && `order ${orderId}`, reportId && `report ${reportId}`, ...keys.map(({ key }) => key)]
              .filter((id) => id !== null)
              .map((id) => `${isTest} ${id}`),
          );
          expect(new Set(ids).size).toBe(ids.length);
          for (const [at, { orderId, isTest }] of reports.entries()) {
            if (orderId === null || kinds[at] === 'reused') continue;
            expect(rows.some((row) => row.orderId === orderId && row.isTest === isTest)).toBe(true);
          }
        }),
        { numRuns },
      );
    });
  });

it('touches of the visitor’s earlier order count until the order’s own page or key says one', () => {
  const touch = (source: string) => ({
    at: null,
    path: '/',
    referrer: null,
    source,
    medium: null,
    campaign: null,
    term: null,
    content: null,
    clickId: null,
  });
  const [earlier, own] = [touch('earlier'), touch('own')];
  const stored = storedOrder({
    orderId: 'x',
    lastTouch: earlier,
    said: { page: { firstTouch: null, lastTouch: earlier } },
  });
  const after = (...reports: JudgedReport[]) =>
    reports.reduce((order, report) => (mergeReport([order], report) as { order: StoredOrder }).order, stored);
  const page = (firstTouch: typeof own | null) => judgedReport({ orderId: 'x', keyHash: null, firstTouch });
  expect(after(judgedReport({ orderId: 'x' }))).toBe(stored);
  expect(after(page(null), page(null))).toMatchObject({ firstTouch: null, lastTouch: earlier });
  expect(after(page(null), page(own))).toMatchObject({ firstTouch: own, lastTouch: earlier });
  expect(after(page(own), page(touch('later')))).toMatchObject({ firstTouch: own, lastTouch: null });
  expect(after(judgedReport({ orderId: 'x', firstTouch: own }))).toMatchObject({
    firstTouch: own,
    lastTouch: null,
  });
});
