import { beforeAll, describe, expect, it } from 'vitest';
import { mergeReport } from '../src/orders/mergeReport.js';
import { optionalFields, type StoredOrder } from '../src/orders/storedOrder.js';
import { everyMergeCase, judgedReport, type MergeCase, storedOrder } from './mergeCases.js';

/** The facts of a case that the rules depend on. */
function factsOf({ stored, report }: MergeCase) {
  const isPage = report.keyHash === null;
  const sameMode = stored.isTest === report.isTest;
  const same = (name: 'orderId' | 'reportId' | 'idempotencyKey') =>
    sameMode && report[name] !== null && report[name] === stored[name];
  const isSameBuyer = !stored.isErased && stored.personId === report.personId;
  const onlyPages = stored.reportedBy === 'browser';
  const differing = [
    stored.orderId && report.orderId && stored.orderId !== report.orderId ? 'orderId' : null,
    !isSameBuyer && !stored.isErased ? 'email' : null,
    stored.amount !== String(report.amount) ? 'amount' : null,
    stored.currency !== report.currency ? 'currency' : null,
  ].filter((field) => field !== null);
  const byOrderId = same('orderId');
  const byReportId = isPage && report.orderId === null && same('reportId');
  const byKey = !isPage && same('idempotencyKey');
  const isReused = byKey && differing.length > 0;
  return {
    isPage,
    onlyPages,
    isSameBuyer,
    differing,
    byKey,
    isReused,
    isKnown: byOrderId || byReportId || byKey,
    isRefused: isReused || (isPage && !isSameBuyer),
    /** The first report by key of an order that only pages reported. */
    isFirstKey: !isPage && onlyPages,
    isBuyerReplaced: !isPage && onlyPages && !isSameBuyer && !stored.isErased,
  };
}

type Facts = ReturnType<typeof factsOf>;

/** The expected value of an optional field after the merge, and true if only a page reported it. */
function expectedField(field: (typeof optionalFields)[number], { stored, report }: MergeCase, facts: Facts) {
  const wasPages = facts.onlyPages || (stored.pageFields ?? []).includes(field);
  const kept = { value: stored[field], isPages: wasPages };
  const taken = { value: report[field], isPages: facts.isPage };
  if (facts.isBuyerReplaced) return taken;
  if (!facts.isSameBuyer || report[field] === null) return kept;
  if (!facts.isPage) return stored[field] === null || wasPages ? taken : kept;
  if (stored[field] !== null) return kept;
  return facts.onlyPages || field === 'visitorId' || field === 'touches' ? taken : kept;
}

/** A rule in plain words: what must be so where it applies; undefined where it does not. */
type Rule = (
  given: MergeCase & { facts: Facts; merged: ReturnType<typeof mergeReport>; order: StoredOrder | undefined },
) => boolean | undefined;

const rules: Record<string, Rule> = {
  'live and test never meet': ({ stored, report, merged }) =>
    stored.isTest === report.isTest ? undefined : merged.kind === 'unknown',
  'a page is known by its orderId, else by its reportId, a key by its orderId or Idempotency-Key, and by nothing else':
    ({ facts, merged }) => (merged.kind !== 'unknown') === facts.isKnown,
  'an Idempotency-Key with another orderId, email, amount or currency is refused, and just these are named':
    ({ facts, merged }) => {
      if (!facts.isReused) return merged.kind !== 'reused';
      return merged.kind === 'reused' && merged.fields.join() === facts.differing.join();
    },
  'a page that names another buyer, or an erased one, is told of a conflict, and a key never': ({
    facts,
    merged,
  }) => (facts.isKnown ? (merged.kind === 'conflict') === (facts.isPage && !facts.isSameBuyer) : undefined),
  'what is known and not refused is answered with the order': ({ facts, order }) =>
    (order !== undefined) === (facts.isKnown && !facts.isRefused),
  'an order counts as changed just when a field of it differs': ({ stored, merged, order }) =>
    order && (merged.kind === 'changed') === (JSON.stringify(order) !== JSON.stringify(stored)),
  'id, order number and mode stay for ever, and so does being erased': ({ stored, order }) =>
    order &&
    order.id === stored.id &&
    order.orderNumber === stored.orderNumber &&
    order.isTest === stored.isTest &&
    order.isErased === stored.isErased,
  'the money is the first key’s where only pages had reported, and stays else': ({
    stored,
    report,
    facts,
    order,
  }) => {
    if (!order) return undefined;
    const { amount, currency, source } = facts.isFirstKey ? report : stored;
    return order.amount === String(amount) && order.currency === currency && order.source === source;
  },
  'the buyer is the first key’s where only pages had reported, stays else, and is nobody once erased': ({
    stored,
    report,
    facts,
    order,
  }) => order && order.personId === (facts.isBuyerReplaced ? report.personId : stored.personId),
  'the time is that of the key where another buyer was the page’s, and stays else': ({
    stored,
    report,
    facts,
    order,
  }) =>
    order &&
    order.createdAt.getTime() ===
      Date.parse(String(facts.isBuyerReplaced ? report.createdAt : stored.createdAt.toISOString())),
  'optional fields: keys over pages, the first over later ones, and of a key’s order a page fills visitor and touches alone':
    (given) =>
      given.order &&
      optionalFields.every((field) => given.order![field] === expectedField(field, given, given.facts).value),
  'which of them only a page said is known while a key has reported too': (given) => {
    const { order, facts } = given;
    if (!order) return undefined;
    const pages = optionalFields.filter((field) => {
      const { value, isPages } = expectedField(field, given, facts);
      return value !== null && isPages;
    });
    return String(order.pageFields ?? '') === (order.reportedBy === 'both' ? pages.join() : '');
  },
  'an erased buyer gets back no optional field': ({ stored, order }) =>
    order && stored.isErased ? optionalFields.every((field) => order[field] === stored[field]) : undefined,
  'reported by both is what a page and a key of one buyer reported': ({ stored, facts, order }) => {
    if (!order) return undefined;
    if (facts.isBuyerReplaced) return order.reportedBy === 'key';
    if (facts.isFirstKey) return order.reportedBy === 'both';
    return order.reportedBy === (facts.isPage && stored.reportedBy === 'key' ? 'both' : stored.reportedBy);
  },
  'an orderId stays, and an order without one gets it from the key whose Idempotency-Key found it': ({
    stored,
    report,
    facts,
    order,
  }) => order && order.orderId === (stored.orderId ?? (facts.byKey ? report.orderId : null)),
  'a page’s reportId stays, unless it was that of another buyer': ({ stored, facts, order }) =>
    order && order.reportId === (facts.isBuyerReplaced ? null : stored.reportId),
  'an Idempotency-Key stays the first of its order, and the first is one whose report says what the order says':
    ({ stored, report, facts, order }) => {
      if (!order) return undefined;
      const isBuyer = order.isErased || order.personId === report.personId;
      const agrees = isBuyer && order.amount === String(report.amount) && order.currency === report.currency;
      const kept = facts.isPage || !agrees ? null : report.idempotencyKey;
      return order.idempotencyKey === (stored.idempotencyKey ?? kept);
    },
  'an Idempotency-Key that no order has is kept, as the first of the order or as a further one': ({
    report,
    facts,
    merged,
    order,
  }) => {
    if (!order || !('newKey' in merged)) return undefined;
    const isNew = !facts.isPage && report.idempotencyKey !== null && !facts.byKey;
    const kept = order.idempotencyKey === report.idempotencyKey ? 'first' : 'further';
    return merged.newKey === (isNew ? kept : null);
  },
  'a buyer without a name is named by each report of theirs that names them, also where the order stays as it is':
    ({ report, facts, merged, order }) =>
      order && 'namesBuyer' in merged
        ? merged.namesBuyer === (facts.isSameBuyer && report.name !== null)
        : undefined,
  'the same report again changes nothing': ({ report, order }) => {
    if (!order) return undefined;
    const again = mergeReport([order], report);
    return again.kind === 'unchanged' && again.order === order;
  },
};

describe('in every combination of a stored order and a report,', () => {
  const judged = Object.entries(rules).map(([title, rule]) => ({
    title,
    rule,
    applied: 0,
    broken: [] as MergeCase[],
  }));
  beforeAll(() => {
    for (const each of everyMergeCase()) {
      const merged = mergeReport([each.stored], each.report);
      const order = merged.kind === 'changed' || merged.kind === 'unchanged' ? merged.order : undefined;
      const given = { ...each, facts: factsOf(each), merged, order };
      for (const one of judged) {
        const holds = one.rule(given);
        if (holds === undefined) continue;
        one.applied++;
        if (!holds && one.broken.length < 3) one.broken.push(each);
      }
    }
  });

  it.each(judged)('$title', ({ title }) => {
    const { broken, applied } = judged.find((one) => one.title === title)!;
    expect(broken).toEqual([]);
    expect(applied).toBeGreaterThan(1000);
  });
});

describe('a further key of an order', () => {
  const said = { personId: 'bob', amount: '11', currency: 'EUR' };
  const stored = storedOrder({ orderId: 'x', idempotencyKey: 'first', furtherKey: said });
  const retry = judgedReport({ orderId: 'x', idempotencyKey: 'k', ...said, amount: 11 });

  it('finds it for the same report, with and without the orderId', () => {
    for (const orderId of ['x', null])
      expect(mergeReport([stored], { ...retry, orderId })).toMatchObject({
        kind: 'unchanged',
        order: stored,
        newKey: null,
      });
  });

  it('is refused with what its report did not say, be it what the order says', () => {
    expect(mergeReport([stored], judgedReport({ orderId: 'y', idempotencyKey: 'k' }))).toEqual({
      kind: 'reused',
      fields: ['orderId', 'email', 'amount', 'currency'],
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

describe('where orderId and Idempotency-Key lead to two orders,', () => {
  const named = storedOrder({ id: 'named', orderId: 'x', reportedBy: 'browser' });
  const keyed = storedOrder({ id: 'keyed', idempotencyKey: 'k' });
  const report = judgedReport({ orderId: 'x', idempotencyKey: 'k', name: 'Ann' });

  it('the orderId decides, and the key stays with the order that has it', () => {
    for (const stored of [
      [named, keyed],
      [keyed, named],
    ]) {
      expect(mergeReport(stored, report)).toMatchObject({
        kind: 'changed',
        order: { id: 'named', name: 'Ann', reportedBy: 'both', idempotencyKey: null },
      });
    }
  });

  it('the key is refused when its order has another orderId, email, amount or currency', () => {
    for (const [field, more] of Object.entries({
      orderId: { orderId: 'y' },
      email: { personId: 'bob' },
      amount: { amount: '10.01' },
      currency: { currency: 'EUR' },
    })) {
      expect(mergeReport([named, { ...keyed, ...more }], report)).toEqual({
        kind: 'reused',
        fields: [field],
      });
    }
  });
});
