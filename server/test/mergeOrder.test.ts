import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JudgedReport } from '../src/orders/knownOrder.js';
import { mergeReport } from '../src/orders/mergeReport.js';
import { type FurtherKey, optionalFields, type StoredOrder } from '../src/orders/storedOrder.js';
import { judgedReport, storedOrder } from './mergeCases.js';

/** Applies these reports in order. Returns the stored rows and the result of each report. */
function store(reports: JudgedReport[]) {
  const rows: StoredOrder[] = [];
  const furtherKeys = new Map<string, FurtherKey & { of: string }>();
  const kinds = reports.map((report) => {
    const key = `${report.isTest} ${report.idempotencyKey}`;
    const found = furtherKeys.get(key);
    const merged = mergeReport(
      rows.map((row) => (row.id === found?.of ? { ...row, furtherKey: found } : row)),
      report,
    );
    if (merged.kind === 'unknown') rows.push(asNew(report));
    if (merged.kind === 'changed') {
      rows[rows.findIndex(({ id }) => id === merged.order.id)] = { ...merged.order, furtherKey: null };
    }
    if ('newKey' in merged && merged.newKey === 'further') {
      const { personId, amount, currency } = report;
      furtherKeys.set(key, { personId, amount: String(amount), currency, of: merged.order.id });
    }
    return merged.kind;
  });
  return { rows, kinds };
}

/** A new order, as the insert of `reportOrders` writes it. */
function asNew({ keyHash, email: _, domainEntries: __, signedAsTest, ...report }: JudgedReport): StoredOrder {
  const ofPage = signedAsTest === undefined ? 'browser' : 'both';
  return storedOrder({
    ...report,
    amount: String(report.amount),
    reportedBy: keyHash === null ? ofPage : 'key',
    createdAt: new Date(report.createdAt),
  });
}

/** All but what says when and under which of our own ids the order was stored. */
const saidOf = ({ id, orderNumber, createdAt, ...said }: StoredOrder) => said;

const orNull = <T>(...values: T[]) => fc.constantFrom(null, ...values);
const fields = {
  name: orNull('A', 'B'),
  items: orNull([{ sku: 'A' }], [{ sku: 'B' }]),
  visitorId: orNull('v-A', 'v-B'),
};
const money = fc.record({
  amount: fc.constantFrom(1, 2),
  currency: fc.constantFrom('USD', 'EUR'),
  source: fc.constantFrom('STRIPE' as const, 'PAYPAL' as const),
});
let count = 0;
const made = (more: Partial<JudgedReport>) => judgedReport({ id: `order-${++count}`, orderId: 'x', ...more });
const inAnyOrder = (reports: fc.Arbitrary<JudgedReport[]>) =>
  reports.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

describe.each([
  ['pages', false],
  ['keys', true],
])('reports of one order by %s alone', (_, hasKey) => {
  it('make the same order in whatever order they come, where they contradict each other nowhere', () => {
    const truth = { name: 'A', items: [{ sku: 'A' }], visitorId: 'v-A', idempotencyKey: hasKey ? 'k' : null };
    const names = Object.keys(truth) as (keyof typeof truth)[];
    const one = fc.subarray(names).map((said) =>
      made({
        ...Object.fromEntries(said.map((name) => [name, truth[name]])),
        keyHash: hasKey ? 'hash' : null,
      }),
    );
    fc.assert(
      fc.property(inAnyOrder(fc.array(one, { minLength: 1, maxLength: 6 })), ([reports, shuffled]) => {
        expect(store(shuffled).rows.map(saidOf)).toEqual(store(reports).rows.map(saidOf));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an order that a page has signed', () => {
  const ofPage = { keyHash: null, source: 'OTHER' as const };
  const signed = (more: Partial<JudgedReport> = {}) =>
    made({ ...ofPage, amount: 50, signedAsTest: false, pageFields: ['source'], ...more });
  const lie = fc
    .record({ ...fields, amount: fc.constantFrom(1, 50), personId: fc.constantFrom('ann', 'bob') })
    .map((more) => made({ ...ofPage, ...more }));

  it('has its money and its buyer, whatever other pages say, before or after', () => {
    fc.assert(
      fc.property(fc.array(lie, { maxLength: 4 }), fc.nat(4), (lies, at) => {
        const reports = lies.toSpliced(at, 0, signed(), signed());
        const { rows } = store(reports);
        expect(rows).toMatchObject([{ amount: '50', personId: 'ann', source: 'OTHER', reportedBy: 'both' }]);
        const said = reports.filter(({ personId }) => personId === 'ann');
        for (const field of ['name', 'items'] as const)
          expect(said.map((report) => report[field])).toContain(rows[0]![field]);
        expect(store([...reports, signed()]).rows).toEqual(rows);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes from a later key the source, and the fields that a page has filled, and nothing of another buyer', () => {
    const byPage = signed({ name: 'Page', pageFields: ['name', 'source'] });
    const byKey = made({ amount: 49, name: 'Key', items: [{ sku: 'key' }], idempotencyKey: 'k' });
    const { rows } = store([byPage, byKey]);
    expect(rows).toMatchObject([
      { amount: '50', source: 'STRIPE', name: 'Key', items: [{ sku: 'key' }], pageFields: null },
    ]);
    expect(store([byPage, { ...byKey, personId: 'bob' }]).rows).toMatchObject([
      { amount: '50', source: 'OTHER', name: 'Page', items: null, personId: 'ann' },
    ]);
  });

  it('is refused as another page is where a key has named another buyer, or the buyer was erased', () => {
    expect(store([made({ personId: 'bob' }), signed()]).kinds).toEqual(['unknown', 'conflict']);
    const erased = storedOrder({ orderId: 'x', reportedBy: 'browser', isErased: true, personId: 'nobody' });
    expect(mergeReport([erased], signed())).toEqual({ kind: 'conflict', isErased: true });
  });
});

describe('reports of all kinds, mixed in any way:', () => {
  const orderIds = orNull('x', 'y');
  const any = fc
    .record({
      ...fields,
      money,
      personId: fc.constantFrom('ann', 'bob'),
      hasKey: fc.boolean(),
      isTest: fc.boolean(),
      orderId: orderIds,
      ownId: orNull('k', 'l'),
    })
    .map(({ money, hasKey, ownId, ...more }) =>
      made({
        ...more,
        ...money,
        keyHash: hasKey ? 'hash' : null,
        idempotencyKey: hasKey ? ownId : null,
        reportId: hasKey || more.orderId !== null ? null : ownId,
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
        const { personId, amount, currency, source, idempotencyKey } = alone;
        expect(rows[0]).toMatchObject({ personId, amount, currency, source, idempotencyKey });
        for (const field of optionalFields)
          if (alone[field] !== null) expect(rows[0]![field]).toEqual(alone[field]);
      }),
      { numRuns: 1000 },
    );
  });

  it('no two orders of a mode share an identifier, and each orderId that was not refused is stored', () => {
    fc.assert(
      fc.property(mixed, (reports) => {
        const { rows, kinds } = store(reports);
        for (const name of ['orderId', 'reportId', 'idempotencyKey'] as const) {
          const ids = rows.filter((row) => row[name] !== null).map((row) => `${row.isTest} ${row[name]}`);
          expect(new Set(ids).size).toBe(ids.length);
        }
        for (const [at, { orderId, isTest }] of reports.entries()) {
          if (orderId === null || kinds[at] === 'reused') continue;
          expect(rows.some((row) => row.orderId === orderId && row.isTest === isTest)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('who uses each Idempotency-Key for one order is never refused, however often each report comes', () => {
    const consistent = fc
      .record({
        of: fc.constantFrom(
          { orderId: 'x', personId: 'ann', amount: 1 },
          { orderId: 'y', personId: 'ann', amount: 1 },
          { orderId: 'x', personId: 'bob', amount: 2 },
          { orderId: null, personId: 'ann', amount: 2 },
        ),
        ...fields,
        hasKey: fc.boolean(),
      })
      .map(({ of, hasKey, ...more }) =>
        made({
          ...of,
          ...more,
          keyHash: hasKey ? 'hash' : null,
          idempotencyKey: hasKey ? JSON.stringify(of) : null,
          reportId: !hasKey && of.orderId === null ? 'r' : null,
        }),
      );
    fc.assert(
      fc.property(fc.array(consistent, { maxLength: 12 }), (reports) => {
        expect(store([...reports, ...reports]).kinds).not.toContain('reused');
      }),
      { numRuns: 1000 },
    );
  });
});
