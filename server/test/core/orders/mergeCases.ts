import { type FieldName, fieldNames } from '../../../src/core/orders/fields.js';
import type { JudgedReport } from '../../../src/core/orders/report.js';
import type { ReportedBy, StoredOrder, Words } from '../../../src/core/orders/storedOrder.js';

const noFields = Object.fromEntries(fieldNames.map((name) => [name, null])) as Record<FieldName, null>;

/** An order that a backend has reported for 10 USD, with no identifier and nothing optional, save what is given. */
export function storedOrder(more: Partial<StoredOrder> = {}): StoredOrder {
  return {
    ...noFields,
    id: 'order-1',
    orderNumber: 'ORD-1',
    personId: 'ann',
    isErased: false,
    hasNoEmail: false,
    buyerNamedBy: null,
    reportId: null,
    keys: [],
    amount: '10',
    currency: 'USD',
    refunded: '0',
    source: 'STRIPE',
    said: null,
    isTest: false,
    reportedBy: 'key',
    createdAt: new Date('2026-05-01T10:00:00.000Z'),
    changedAt: null,
    sharesIdWith: null,
    ...more,
  };
}

/** A live report by key of Ann's for 10 USD, with no identifier and nothing optional, save what is given. */
export function judgedReport(more: Partial<JudgedReport> = {}): JudgedReport {
  return {
    ...noFields,
    id: 'order-2',
    orderNumber: 'ORD-2',
    personId: 'ann',
    email: 'ann@shop.example',
    reportId: null,
    idempotencyKey: null,
    keys: [],
    changedAt: null,
    amount: 10,
    currency: 'USD',
    source: 'STRIPE',
    host: null,
    isTest: false,
    createdAt: '2026-05-01T11:00:00.000Z',
    keyHash: 'hash',
    domainEntries: null,
    ...more,
  };
}

/** The report of a page that is signed, with the words that count as a key's. */
export function signedReport(more: Partial<JudgedReport> = {}): JudgedReport {
  const report = judgedReport({ source: 'OTHER', ...more, keyHash: null, signedAsTest: false });
  const { personId, orderId, amount, currency, ...rest } = report;
  const page = Object.fromEntries(
    fieldNames.filter((name) => name in rest && report[name] !== null).map((name) => [name, report[name]]),
  );
  return { ...report, said: { page, key: { personId, orderId, amount: String(amount), currency } } };
}

/** A stored order by what pages and keys have said of it, each null if it has not spoken. */
export interface Speakers {
  page: Words | null;
  key: Words | null;
}

/** A stored order and a report that comes later, as `speakers` of its own. */
export interface MergeCase {
  speakers: Speakers;
  stored: StoredOrder;
  by: 'page' | 'signed page' | 'key';
  report: JudgedReport;
}

/** The order `x` of Ann as `key ?? page`. */
function asStored({ page, key }: Speakers, isErased: boolean): StoredOrder {
  const reportedBy: ReportedBy = key === null ? 'browser' : page === null ? 'key' : 'both';
  const said = page && key && Object.keys(page).length > 0 ? { page, key } : null;
  const order = storedOrder({ ...page, ...key, reportedBy, said } as Partial<StoredOrder>);
  return isErased
    ? { ...order, isErased, personId: 'nobody', name: null, visitorId: null, said: null }
    : order;
}

/** One field that a key fills over a page, and one that tells of the visitor; `name` and `visitorId` stand for all. */
const optional = (of: string): Words[] => [
  {},
  { name: `${of}’s name` },
  { visitorId: `${of}’s visitor` },
  { name: `${of}’s name`, visitorId: `${of}’s visitor` },
];
const needed = (amount: string, source: 'STRIPE' | 'OTHER'): Words => ({
  personId: 'ann',
  orderId: 'x',
  amount,
  currency: 'USD',
  source,
});

/**
 * Every combination of an order that pages, keys or both have reported, of a buyer who was erased or not, with each optional
 * field said or not, and of a report by each, of the same buyer and money or not, with each field said or not.
 */
export function* everyMergeCase(): Generator<MergeCase> {
  const ofPage = optional('page').map((words) => ({ ...needed('11', 'OTHER'), ...words }));
  const ofKey = optional('key').map((words) => ({ ...needed('12', 'STRIPE'), ...words }));
  const speakers: Speakers[] = [
    ...ofPage.map((page) => ({ page, key: null })),
    ...ofKey.map((key) => ({ page: null, key })),
    ...[{}, ...ofPage].flatMap((page) => ofKey.map((key) => ({ page, key }))),
  ];
  for (const each of speakers)
    for (const isErased of [false, true])
      for (const personId of ['ann', 'bob'])
        for (const amount of [11, 12, 13])
          for (const words of optional('report')) {
            const said = { ...words, personId, amount, orderId: 'x' } as Partial<JudgedReport>;
            const stored = asStored(each, isErased);
            const given = { speakers: each, stored };
            yield { ...given, by: 'page', report: judgedReport({ ...said, keyHash: null, source: 'OTHER' }) };
            yield { ...given, by: 'signed page', report: signedReport(said) };
            yield { ...given, by: 'key', report: judgedReport({ ...said, source: 'PAYPAL' }) };
          }
}
