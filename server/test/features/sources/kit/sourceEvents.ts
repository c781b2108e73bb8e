import { readReport } from '../../../../src/core/orders/receive/readReport.js';
import { bodyOf } from '../../../../src/features/sources/receive/eventReport.js';
import { readEvents } from '../../../../src/features/sources/receive/readEvents.js';
import type { SourceOrder, SourceRefund } from '../../../../src/features/sources/receive/sourceEvent.js';
import type { SourceKind } from '../../../../src/features/sources/source.js';
import { newUuid } from '../../../../src/values/ids.js';

/** An event as a provider sends it: its topic (null with Stripe), and a payload or a body that is no JSON. */
export type SentEvent = [topic: string | null, payload: unknown];

/**
 * Result of an event: facts about orders and refunds, or a word. `nothing`: it is ignored. `kept`: the event itself is stored,
 * for a person to see. `refused`: the shop system counts it as failed.
 */
export type StoredEvents = SentFact[] | 'nothing' | 'kept' | 'refused';

/** One fact of an event: a paid order, the end of an unpaid one, a refund, or a refund that did not happen. */
export interface SentFact {
  kind: 'order' | 'unpaid' | 'refund' | 'takenBack';
  [field: string]: unknown;
}

/** An example of an event, and what is stored of it. */
export interface EventExample {
  /** Description of the event, in the guide's words. */
  event: string;
  sent: SentEvent;
  stored: StoredEvents;
}

/** Makes examples of which the same is stored. */
export function alike(stored: StoredEvents, sent: Record<string, SentEvent>): EventExample[] {
  return Object.entries(sent).map(([event, one]) => ({ event, sent: one, stored }));
}

/** Reads what a source stores of an event. If an order lacks something, the event is kept. */
export async function storedOf(kind: SourceKind, [topic, payload]: SentEvent): Promise<StoredEvents> {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  const bytes = Buffer.from(isText ? payload : JSON.stringify(payload));
  const source = { kind, teamId: newUuid(), orderIdPrefix: '' };
  const stored: SentFact[] = [];
  for (const event of (await readEvents(kind, bytes, topic)).events) {
    if (event.kind === 'ignored' || event.kind === 'ping') continue;
    if (event.kind === 'error') return 'refused';
    if (event.kind === 'misread') return 'kept';
    if (event.kind === 'refund') stored.push(...factsOfRefund(event));
    else if (event.kind === 'order' && event.wasPaid && readReport(bodyOf(source, event), true).issues)
      return 'kept';
    else if (event.kind === 'order') stored.push(...factsOfOrder(event));
  }
  return stored.length > 0 ? stored : 'nothing';
}

function factsOfOrder(event: SourceOrder): SentFact[] {
  const { of, report, isTest, at, changedAt, state, wasPaid, buyer, refunds = [] } = event;
  const [key = null] = event.providerIds;
  const { orderId } = report;
  const order: SentFact = {
    kind: 'order',
    report,
    keys: idsOf(event.providerIds),
    isTest,
    at,
    changedAt,
    ...(buyer === 'erased' && { isErased: true }),
    ...(state === 'unpaid' && { isPaid: false }),
  };
  const unpaid: SentFact = { kind: 'unpaid', orderId, key, isTest, at: changedAt };
  const paymentId = key?.startsWith('woo') ? key : null;
  const listed = refunds.map(
    ({ currency: _, ...refund }): SentFact => ({
      kind: 'refund',
      orderId,
      paymentId,
      ...refund,
      isTest,
      at: refund.at ?? changedAt,
      listedAt: changedAt,
    }),
  );
  return [...(wasPaid || of !== 'shopOrder' ? [order] : state === 'ended' ? [unpaid] : []), ...listed];
}

function factsOfRefund({
  providerIds,
  orderId,
  refunds,
  isDispute,
  isTest,
  state,
}: SourceRefund): SentFact[] {
  const paymentId = orderId === null ? providerIds[0] : null;
  return refunds.map(({ currency, ...refund }): SentFact => {
    if (state === 'ended') return { kind: 'takenBack', orderId, refundId: refund.refundId, isTest };
    return {
      kind: 'refund',
      orderId,
      paymentId,
      ...refund,
      isTest,
      ...(isDispute && { dispute: { currency } }),
    };
  });
}

/** Sorts identifiers, without those of an invoice's payment, which identify no order. */
export const idsOf = (keys: readonly string[]): string[] =>
  keys.filter((key) => !key.startsWith('inpay_')).sort();
