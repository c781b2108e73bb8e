import { type Payload, readObject, readObjects, readText } from './payload.js';
import { ignored, type SourceEvent, type SourceOrder } from './sourceEvent.js';
import { stripeAmount } from './stripeAmount.js';
import { currencyOf, idIn, timeOf } from './stripeFields.js';

/** Facts of the whole event. */
export type EventFacts = Pick<SourceOrder, 'isTest' | 'at'>;

/** Maps the object of an event; `type` is the event's. */
export type MapObject = (object: Payload, facts: EventFacts, type: string) => SourceEvent[];

/** Maps a refund. One that failed or was canceled is taken back. */
export const mapRefund: MapObject = (refund, facts) => {
  const refundId = readText(refund.id);
  if (refundId === null) throw new Error('The refund has no id.');
  const { isTest } = facts;
  const status = readText(refund.status);
  if (status === 'failed' || status === 'canceled')
    return [{ kind: 'takenBack', orderId: null, refundId, isTest }];
  if (status !== 'succeeded') return [ignored(`The refund is ${status}.`)];
  const paymentId = idIn(refund.payment_intent) ?? idIn(refund.charge);
  const amount = stripeAmount(refund.amount, currencyOf(refund));
  const reason = readText(refund.reason);
  // The refund's own time, because several events tell of one refund. By the payment alone, because they have other metadata.
  const at = timeOf(refund.created) ?? facts.at;
  return [{ kind: 'refund', orderId: null, paymentId, refundId, amount, reason, isTest, at }];
};

/** Maps the refunds of a charge. Since the API of 2022-11-15 it does not hold them, and an amount alone could count twice. */
export const mapRefundedCharge: MapObject = (charge, facts, type) => {
  const refunds = readObjects(readObject(charge.refunds).data);
  if (refunds.length === 0) return [ignored('The charge does not name its refunds; refund.created does.')];
  const paymentOf = (refund: Payload) => refund.payment_intent ?? charge.payment_intent ?? charge.id;
  return refunds.flatMap((refund) =>
    mapRefund({ ...refund, payment_intent: paymentOf(refund) }, facts, type),
  );
};

/** Maps a dispute: a lost one is a refund, and one that was won after it takes it back. */
export const mapDispute: MapObject = (dispute, facts, type) => {
  if (dispute.status === 'won') return mapRefund({ ...dispute, status: 'failed' }, facts, type);
  if (dispute.status !== 'lost') return [ignored(`The dispute is not lost: ${readText(dispute.status)}.`)];
  const refund = { ...dispute, status: 'succeeded', reason: 'dispute', created: null };
  return mapRefund(refund, facts, type).map((event) => ({
    ...event,
    dispute: { currency: currencyOf(dispute) },
  }));
};
