import type { Touch } from '@orderbeacon/sdk/contract';
import type { JudgedReport } from '../src/orders/knownOrder.js';
import { type OptionalField, optionalFields, type StoredOrder } from '../src/orders/storedOrder.js';
import { noTouch } from './noTouch.js';

/** A stored order and a report that comes later. */
export interface MergeCase {
  stored: StoredOrder;
  report: JudgedReport;
}

const touch = (source: string): Touch => ({
  ...noTouch,
  at: '2026-05-01T09:00:00.000Z',
  path: '/',
  source,
});
const storedValues = {
  name: 'Stored',
  items: [{ sku: 'stored' }],
  visitorId: 'v-stored',
  extra: { tax: 1 },
  touches: { firstTouch: touch('stored'), lastTouch: touch('stored later') },
};
const reportedValues = {
  name: 'Reported',
  items: [{ sku: 'reported' }],
  visitorId: 'v-reported',
  extra: { tax: 2 },
  touches: { firstTouch: touch('reported') },
};

/** An order that a backend has reported for 10 USD, with no identifier and nothing optional, save what is given. */
export function storedOrder(more: Partial<StoredOrder> = {}): StoredOrder {
  return {
    id: 'order-1',
    orderNumber: 'ORD-1',
    personId: 'ann',
    isErased: false,
    buyerNamedBy: null,
    orderId: null,
    reportId: null,
    idempotencyKey: null,
    furtherKey: null,
    amount: '10',
    currency: 'USD',
    refunded: '0',
    source: 'STRIPE',
    name: null,
    items: null,
    visitorId: null,
    touches: null,
    extra: null,
    pageFields: null,
    isTest: false,
    reportedBy: 'key',
    createdAt: new Date('2026-05-01T10:00:00.000Z'),
    ...more,
  };
}

/** A live report by key of Ann's for 10 USD, with no identifier and nothing optional, save what is given. */
export function judgedReport(more: Partial<JudgedReport> = {}): JudgedReport {
  return {
    id: 'order-2',
    orderNumber: 'ORD-2',
    personId: 'ann',
    email: 'ann@shop.example',
    orderId: null,
    reportId: null,
    idempotencyKey: null,
    keys: [],
    changedAt: null,
    amount: 10,
    currency: 'USD',
    source: 'STRIPE',
    name: null,
    items: null,
    visitorId: null,
    touches: null,
    extra: null,
    host: null,
    isTest: false,
    createdAt: '2026-05-01T11:00:00.000Z',
    keyHash: 'hash',
    domainEntries: null,
    ...more,
  };
}

const both = [false, true];
function subsets<T>(of: readonly T[]): T[][] {
  const [first, ...rest] = of;
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((some) => [some, [first, ...some]]);
}

const pick = <T extends Record<OptionalField, unknown>>(values: T, fields: OptionalField[]): Partial<T> =>
  Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<T>;

type Ids = Pick<StoredOrder, 'orderId' | 'reportId' | 'idempotencyKey'>;
const idsOf = (values: (string | null)[]): Ids[] =>
  values.flatMap((orderId) =>
    values.flatMap((reportId) => values.map((idempotencyKey) => ({ orderId, reportId, idempotencyKey }))),
  );

/** By what a report is known, or not, in the ways that matter for its fields: of the order, of the report. */
const acquaintances: [Partial<Ids>, Partial<Ids>][] = [
  [{ orderId: 'x' }, { orderId: 'x' }],
  [{ reportId: 'x' }, { reportId: 'x' }],
  [{ idempotencyKey: 'x' }, { idempotencyKey: 'x' }],
  [{ idempotencyKey: 'x' }, { idempotencyKey: 'x', orderId: 'x' }],
  [{ orderId: 'x' }, { orderId: 'x', idempotencyKey: 'x' }],
  [
    { orderId: 'x', idempotencyKey: 'x' },
    { orderId: 'x', idempotencyKey: 'y' },
  ],
];

interface Patterns {
  ids: [Partial<Ids>, Partial<Ids>][];
  /** The optional fields that are set. */
  fields: OptionalField[][];
  /** False for live orders and reports; true for tests, too. */
  tests: boolean[];
  /** Of an order that both reported, the set fields that only a page reported. */
  pageFields: (set: OptionalField[]) => OptionalField[][];
}

function* casesOf({ ids, fields, tests, pageFields: pageFieldsOf }: Patterns): Generator<MergeCase> {
  for (const [storedIds, reportIds] of ids)
    for (const set of fields)
      for (const reportedBy of ['browser', 'key', 'both'] as const)
        for (const pageFields of reportedBy === 'both' ? pageFieldsOf(set) : [[]])
          for (const [isErased, isStoredTest] of both.flatMap((one) =>
            tests.map((two) => [one, two] as const),
          )) {
            const stored = storedOrder({
              ...storedIds,
              ...pick(storedValues, set),
              reportedBy,
              isErased,
              isTest: isStoredTest,
              personId: isErased ? 'nobody' : 'ann',
              pageFields: pageFields.length > 0 ? pageFields : null,
            });
            yield* reportsFor(stored, reportIds, fields, tests);
          }
}

function* reportsFor(
  stored: StoredOrder,
  ids: Partial<Ids>,
  fields: OptionalField[][],
  tests: boolean[],
): Generator<MergeCase> {
  const filled = fields.map((set) => pick(reportedValues, set));
  for (const keyHash of [null, 'hash'])
    for (const isTest of tests)
      for (const personId of ['ann', 'bob'])
        for (const money of [{}, { amount: 11 }, { currency: 'EUR', source: 'PAYPAL' as const }])
          for (const values of filled) {
            yield {
              stored,
              report: judgedReport({ ...ids, ...values, ...money, keyHash, isTest, personId }),
            };
          }
}

/**
 * Every combination: page or key, same, other or erased buyer, the same money or other, each optional field set or empty
 * before and after and said by a page or not, for the ways to be known that matter to them; and every combination of
 * identifiers, live and test, for all fields empty or set.
 */
export function* everyMergeCase(): Generator<MergeCase> {
  const ruled = ['items', 'visitorId', 'touches'] as const; // name and extra follow the rules of the items
  yield* casesOf({ ids: acquaintances, fields: subsets(ruled), tests: [false], pageFields: subsets });
  const everyId = idsOf([null, 'x']).flatMap((stored) =>
    idsOf([null, 'x', 'y']).map((report): [Ids, Ids] => [stored, report]),
  );
  yield* casesOf({ ids: everyId, fields: [[], [...optionalFields]], tests: both, pageFields: () => [[]] });
}
