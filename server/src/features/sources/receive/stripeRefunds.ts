import { type Payload, readObject, readObjects, readText } from './payload.js';
import { ignored, type SourceEvent, type SourceOrder } from './sourceEvent.js';
import { stripeAmount } from './stripeAmount.js';
import { currencyOf, idIn, timeOf } from './stripeFields.js';

/** Facts of an event that hold for all of its objects. */
export type EventFacts = Pick<SourceOrder, 'isTest' | 'at'>;

/** Maps the object of an event. `type` is the event's type. */
export type MapObject = (object: Payload, facts: EventFacts, type: string) => SourceEvent[];

/** Maps a refund. One that failed or was canceled has the state `ended`. */
export const mapRefund: MapObject = (refund, { isTest, at }) => {
  const id = readText(refund.id);
  if (id === null) throw new Error('The refund has no id.');
  const status = readText(refund.status) ?? '';
  const state = states.get(status);
  if (state === undefined) return [ignored(`The refund is ${status}.`)];
  const providerIds = [refund.payment_intent, refund.charge].map(idIn).filter((key) => key !== null);
  if (providerIds.length === 0) return [ignored('The refund is of no payment.')];
  const currency = currencyOf(refund);
  const isDispute = refund.reason === dispute;
  // The refund's own time, because several events report one refund.
  const madeAt = timeOf(refund.created) ?? at;
  const stated = {
    refundId: id,
    amount: stripeAmount(refund.amount, currency),
    currency,
    reason: readText(refund.reason),
    at: madeAt,
  };
  return [
    {
      kind: 'refund',
      id,
      providerIds,
      orderId: null,
      refunds: [stated],
      isDispute,
      isTest,
      at: madeAt,
      changedAt: at,
      state,
    },
  ];
};

const dispute = 'dispute';
const states = new Map<string, 'paid' | 'ended'>([
  ['succeeded', 'paid'],
  ['failed', 'ended'],
  ['canceled', 'ended'],
]);

/**
 * Maps the refunds of a charge. Since the API of 2022-11-15, the charge does not list them. Its total is not used,
 * because it could count a refund twice.
 */
export const mapRefundedCharge: MapObject = (charge, facts, type) => {
  const refunds = readObjects(readObject(charge.refunds).data);
  if (refunds.length === 0) return [ignored('The charge does not name its refunds; refund.created does.')];
  return refunds.flatMap((refund) =>
    mapRefund(
      {
        ...refund,
        payment_intent: refund.payment_intent ?? charge.payment_intent,
        charge: refund.charge ?? charge.id,
      },
      facts,
      type,
    ),
  );
};

/** Maps a dispute to a refund. A lost dispute is a refund that succeeded; a dispute that was won is a refund that failed. */
export const mapDispute: MapObject = (of, facts, type) => {
  if (of.status !== 'won' && of.status !== 'lost')
    return [ignored(`The dispute is not lost: ${readText(of.status)}.`)];
  const status = of.status === 'won' ? 'failed' : 'succeeded';
  return mapRefund({ ...of, status, reason: dispute, created: null }, facts, type);
};
