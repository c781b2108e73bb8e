import type { Uuid } from '../../../values/ids.js';
import { fieldNames } from '../fields.js';
import { isProviderId } from '../payment.js';
import { looksDated, type RowStatement } from '../storedOrder.js';
import { eraseBuyer } from './eraseBuyer.js';
import { toObject } from './joinVersions.js';
import type { KeptIdentifier, LoadedOrder } from './sql/loadNeighbours.js';
import type { Identifier, StatedFields, StatedObject, StatedRefund, Statement } from './statement.js';
import { backendObject } from './statementsOfReport.js';

/** Reconstructs the statements of an order that has no rows in `statement`. Its own row then holds all that was reported. */
export function objectsOfOrder(order: LoadedOrder): StatedObject[] {
  const objects = statementsOfRow(order).map(toObject);
  return order.isErased ? objects.map(eraseBuyer) : objects;
}

function statementsOfRow(order: LoadedOrder): Statement[] {
  const { id, reportedBy, createdAt, host, orderId, reportId } = order;
  const stated: RowStatement = order.said ?? {};
  const isOld =
    stated.key ||
    stated.page ||
    (reportedBy === 'both' && !stated.isSigned) ||
    (reportedBy === 'key' && order.names.some(({ object }) => object === ofOldServer));
  if (isOld || order.refunds.some(({ object }) => object === '')) return statementsOfOldRow(order);
  const says = fieldsOfRow(order, [...(stated.unsaid ?? []), ...Object.keys(stated.earlier ?? {})]);
  const names = ownIdentifiers(order);
  if (orderId !== null) names.push({ kind: 'number', value: orderId });
  if (reportId !== null) names.push({ kind: 'report', value: reportId });
  const name = nameOf(orderId, names, id);
  const base = {
    kind: 'report',
    names,
    arrived: id,
    created: createdAt,
    isDated: stated.isDated ?? looksDated(reportedBy === 'key', { id, createdAt, press: stated.press }),
    version: stated.changedAt ?? null,
    says,
  } as const;
  const person = order.isErased ? id : order.personId;
  if (reportedBy === 'key') {
    const speaker = stated.press === undefined ? 'backend' : 'file';
    const object = stated.press === undefined ? backendObject(orderId, name) : `file:${stated.press}:${name}`;
    return [{ ...base, speaker, object, says: stated.earlier ? { ...says, earlier: stated.earlier } : says }];
  }
  const page: Statement = { ...base, speaker: 'page', object: `page:${name}:${person}`, host };
  if (!stated.isSigned) return [page];
  page.says = { currency: order.currency, ...says };
  const { personId, email, amount, currency } = says;
  const signed = {
    orderId,
    amount,
    currency,
    ...(personId !== undefined && { personId, email }),
  } as StatedFields;
  return [page, { ...base, speaker: 'signed', object: `signed:${name}:${person}`, says: signed, host }];
}

/** Marks a provider id that a server before 0.5.0 stored, instead of the object that has it. */
const ofOldServer = 'legacy';

/** @returns true for an identifier of an order's row: it is stored without the object that has it. */
export const isOfRow = ({ object }: Pick<KeptIdentifier, 'object'>): boolean =>
  object === '' || object === ofOldServer;

/** The identifiers in `order_key` that belong to an order's row. */
const ownIdentifiers = ({ names }: LoadedOrder): Identifier[] =>
  names.flatMap((name) => {
    const { kind, value } = name;
    return isOfRow(name) && kind !== 'alias' && kind !== 'forgotten' ? [{ kind, value }] : [];
  });

const nameOf = (orderId: string | null, names: readonly Identifier[], id: Uuid): string =>
  orderId ??
  (['provider', 'idempotency', 'report'] as const).flatMap((kind) =>
    names.filter((name) => name.kind === kind).map(({ value }) => value),
  )[0] ??
  id;

/**
 * Reads the fields that an order's row states, and its buyer unless erased.
 * @param unsaid fields to leave out, because no report of this order stated them: defaults, and touches of an earlier order
 */
function fieldsOfRow(order: LoadedOrder, unsaid: readonly string[]): StatedFields {
  const fields: StatedFields = {};
  for (const name of fieldNames)
    if (order[name] !== null && !unsaid.includes(name)) Object.assign(fields, { [name]: order[name] });
  if (order.isErased || order.email === null) return fields;
  const buyer = { personId: order.personId, email: order.email };
  return order.hasNoEmail ? { ...fields, unnamed: buyer } : { ...fields, ...buyer };
}

/**
 * Reconstructs the statements of an order that a server before 0.5.0 stored. Such a server kept the fields of pages, the fields of
 * API keys, and the refunds. The fields of API keys become a statement of the weakest backend. A shop order or payment with one of
 * its ids replaces its money.
 */
function statementsOfOldRow(order: LoadedOrder): Statement[] {
  const { id, reportedBy, createdAt, host, said, orderId, reportId, refunds } = order;
  const names = ownIdentifiers(order);
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
  const ofRow = fieldsOfRow(order, unsaid);
  const withEmail = (fields: StatedFields): StatedFields =>
    fields.personId !== undefined && fields.personId === order.personId && ofRow.email !== undefined
      ? { ...fields, email: ofRow.email }
      : fields;
  const statements: Statement[] = [];
  const name = orderId ?? id;
  const isByKey = reportedBy !== 'browser';
  if (reportedBy !== 'key') {
    const says = withEmail(isByKey ? (said?.page ?? {}) : ofRow);
    const person = says.personId ?? order.personId;
    const ids: Identifier[] = reportId === null ? names : [...names, { kind: 'report', value: reportId }];
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
    const ofKeys = said?.key ? withEmail(withoutFields(said.key, unsaid)) : withoutFields(ofRow, without);
    const isNamed = ofKeys.personId !== undefined || ofRow.unnamed === undefined;
    const earlier = reportedBy === 'key' && said?.page ? { earlier: said.page } : {};
    const says = { ...ofKeys, ...(!isNamed && { unnamed: ofRow.unnamed! }), ...earlier };
    // Its shop has erased the buyer. The identifier of kind `forgotten` records it, so that no page names a buyer again.
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

const withoutFields = (fields: StatedFields, names: readonly string[]): StatedFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Ids that Stripe gives to refunds and disputes. */
const ofStripe = /^(?:re|pyr|du|dp)_/;

function ofOldRefund(
  refund: LoadedOrder['refunds'][number],
  { id, createdAt }: LoadedOrder,
  names: readonly Identifier[],
): Statement {
  const { refundId, amount, reason, isOfSource, isTakenBack } = refund;
  const isOfShop = isOfSource || ofStripe.test(refundId) || reason === 'dispute';
  const listed: StatedRefund = {
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
    refunds: [listed],
    of: `legacy:${id}`,
  };
}
