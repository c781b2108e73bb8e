import { isProviderId } from '../payment.js';
import { fieldsOfRow, ownIdentifiers } from './orderRow.js';
import type { LoadedOrder } from './sql/loadNeighbours.js';
import type { Identifier, StatedFields, StatedRefund, Statement } from './statement.js';

/**
 * Reconstructs the statements of an order that a server before 0.5.0 stored. Such a server kept the fields of pages, the fields of
 * API keys, and the refunds. The fields of API keys become a statement of the weakest backend. A shop order or payment with one of
 * its ids replaces its money.
 */
export function statementsOfOldRow(order: LoadedOrder): Statement[] {
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
