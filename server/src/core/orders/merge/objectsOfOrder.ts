import type { Uuid } from '../../../values/ids.js';
import { fieldNames } from '../fields.js';
import { isProviderId } from '../payment.js';
import type { RowSaid } from '../storedOrder.js';
import { eraseBuyer } from './eraseBuyer.js';
import { toObject } from './joinVersions.js';
import type { LoadedOrder } from './sql/loadNeighbours.js';
import type { Name, SaidObject, SaidRefund, Statement, Words } from './statement.js';
import { backendObject } from './statementsOfReport.js';

/** Reads the statements of an order that only one has reported: its row is what was said. */
export function objectsOfOrder(order: LoadedOrder): SaidObject[] {
  const objects = statementsOfRow(order).map(toObject);
  return order.isErased ? objects.map(eraseBuyer) : objects;
}

function statementsOfRow(order: LoadedOrder): Statement[] {
  const { id, reportedBy, createdAt, host, orderId, reportId } = order;
  const said: RowSaid = order.said ?? {};
  const isOld =
    said.key ||
    said.page ||
    (reportedBy === 'both' && !said.isSigned) ||
    (reportedBy === 'key' && order.names.some(({ object }) => object === ofOldServer));
  if (isOld || order.refunds.some(({ object }) => object === '')) return statementsOfOldRow(order);
  const says = wordsOfRow(order, [...(said.unsaid ?? []), ...Object.keys(said.earlier ?? {})]);
  const names = ownNames(order);
  if (orderId !== null) names.push({ kind: 'number', value: orderId });
  if (reportId !== null) names.push({ kind: 'report', value: reportId });
  const name = nameOf(orderId, names, id);
  const base = {
    kind: 'report',
    names,
    arrived: id,
    created: createdAt,
    isDated: said.isDated ?? false,
    version: said.changedAt ?? null,
    says,
  } as const;
  const person = order.isErased ? id : order.personId;
  if (reportedBy === 'key') {
    const speaker = said.press === undefined ? 'backend' : 'file';
    const object = said.press === undefined ? backendObject(orderId, name) : `file:${said.press}:${name}`;
    return [{ ...base, speaker, object, says: said.earlier ? { ...says, earlier: said.earlier } : says }];
  }
  const page: Statement = { ...base, speaker: 'page', object: `page:${name}:${person}`, host };
  if (!said.isSigned) return [page];
  page.says = { currency: order.currency, ...says };
  const { personId, email, amount, currency } = says;
  const signed = { orderId, amount, currency, ...(personId !== undefined && { personId, email }) } as Words;
  return [page, { ...base, speaker: 'signed', object: `signed:${name}:${person}`, says: signed, host }];
}

/** Stands in place of the object of a provider's ids that a server before 0.5.0 kept. */
const ofOldServer = 'legacy';

/** The names of a row beside its number. */
const ownNames = ({ names }: LoadedOrder): Name[] =>
  names.flatMap(({ kind, value, object }) =>
    (object === '' || object === ofOldServer) && kind !== 'alias' && kind !== 'forgotten'
      ? [{ kind, value }]
      : [],
  );

const nameOf = (orderId: string | null, names: readonly Name[], id: Uuid): string =>
  orderId ??
  (['provider', 'idempotency', 'report'] as const).flatMap((kind) =>
    names.filter((name) => name.kind === kind).map(({ value }) => value),
  )[0] ??
  id;

/** What a row says, without the fields whose value nobody said. */
function wordsOfRow(order: LoadedOrder, unsaid: readonly string[]): Words {
  const words: Words = {};
  for (const name of fieldNames)
    if (order[name] !== null && !unsaid.includes(name)) Object.assign(words, { [name]: order[name] });
  if (order.isErased || order.email === null) return words;
  const buyer = { personId: order.personId, email: order.email };
  return order.hasNoEmail ? { ...words, unnamed: buyer } : { ...words, ...buyer };
}

/**
 * Reads the statements of an order that a server before 0.5.0 stored, which kept the words of pages and those of keys, and its
 * refunds. What keys said is a statement of the weakest backend: a shop order or payment that has one of its ids takes the place of
 * its money.
 */
function statementsOfOldRow(order: LoadedOrder): Statement[] {
  const { id, reportedBy, createdAt, host, said, orderId, reportId, refunds } = order;
  const names = ownNames(order);
  if (orderId !== null) names.push({ kind: 'number', value: orderId });
  const base = {
    kind: 'report',
    names,
    arrived: id,
    created: createdAt,
    isDated: false,
    version: null,
  } as const;
  const unsaid = said?.unsaid ?? [];
  const ofRow = wordsOfRow(order, unsaid);
  const withEmail = (words: Words): Words =>
    words.personId !== undefined && words.personId === order.personId && ofRow.email !== undefined
      ? { ...words, email: ofRow.email }
      : words;
  const statements: Statement[] = [];
  const name = orderId ?? id;
  const isByKey = reportedBy !== 'browser';
  if (reportedBy !== 'key') {
    const says = withEmail(isByKey ? (said?.page ?? {}) : ofRow);
    const person = says.personId ?? order.personId;
    const ids: Name[] = reportId === null ? names : [...names, { kind: 'report', value: reportId }];
    const ofPage = ids.filter(({ kind }) => kind !== 'provider' && kind !== 'idempotency');
    statements.push({
      ...base,
      speaker: 'page',
      object: `page:${name}:${person}`,
      names: ofPage,
      says,
      host,
    });
  }
  if (isByKey) {
    const without = Object.keys(reportedBy === 'key' ? (said?.page ?? {}) : {});
    const spoken = said?.key ? withEmail(withoutFields(said.key, unsaid)) : withoutFields(ofRow, without);
    const isNamed = spoken.personId !== undefined || ofRow.unnamed === undefined;
    const earlier = reportedBy === 'key' && said?.page ? { earlier: said.page } : {};
    const says = { ...spoken, ...(!isNamed && { unnamed: ofRow.unnamed! }), ...earlier };
    // Its shop has erased the buyer: the key stood beside the order, and no page names one again.
    const isForgotten = order.names.some(({ kind }) => kind === 'forgotten');
    statements.push({
      ...base,
      speaker: 'backend',
      object: `legacy:${id}`,
      says,
      isDated: true,
      ...(isForgotten && { buyer: 'erased', version: createdAt }),
    });
  }
  return [
    ...statements,
    ...refunds.filter(({ object }) => object === '').map((refund) => ofOldRefund(refund, order, names)),
  ];
}

const withoutFields = (words: Words, names: readonly string[]): Words =>
  Object.fromEntries(Object.entries(words).filter(([name]) => !names.includes(name)));

/** Ids that Stripe gives refunds and disputes. */
const ofStripe = /^(?:re|pyr|du|dp)_/;

function ofOldRefund(
  refund: LoadedOrder['refunds'][number],
  { id, createdAt }: LoadedOrder,
  names: readonly Name[],
): Statement {
  const { refundId, amount, reason, isOfSource, isTakenBack } = refund;
  const isOfShop = isOfSource || ofStripe.test(refundId) || reason === 'dispute';
  const said: SaidRefund = {
    refundId,
    amount,
    currency: null,
    reason,
    createdAt: refund.createdAt,
    ...(reason === 'dispute' && { isDispute: true }),
  };
  return {
    speaker: isOfShop ? 'shop' : 'backend',
    kind: 'refund',
    object: isOfShop
      ? ofStripe.test(refundId)
        ? refundId
        : `legacy:${id}:${refundId}`
      : `refund:${refundId}`,
    names: names.filter(
      ({ kind, value }) => kind === 'number' || (isOfShop && (kind === 'provider' || isProviderId(value))),
    ),
    arrived: id,
    created: createdAt,
    isDated: true,
    version: isOfShop ? refund.createdAt : null,
    state: isTakenBack ? 'ended' : 'paid',
    says: {},
    refunds: [said],
    of: `legacy:${id}`,
  };
}
