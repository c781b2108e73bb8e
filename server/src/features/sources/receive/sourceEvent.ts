import type { ObjectKind, State } from '../../../core/orders/merge/statement.js';

/** A fact of a provider's event: an order, a refund, or why it has neither. One event may have several or none. */
export type SourceEvent = SourceOrder | SourceRefund | NoEvent;

/** A shop's order, or an object of a payment such as an invoice, as one event states it. */
export interface SourceOrder {
  kind: 'order';
  /** The kind of the object that the event states. */
  of: Exclude<ObjectKind, 'refund' | 'report'>;
  /**
   * The report as an integrator would send it, without `teamId`. Its amount may be an exact decimal as text. It is
   * repaired like a page's report, and kept among the refused reports if it is still invalid.
   */
  report: Record<string, unknown>;
  /**
   * The provider's ids of payment, session, charge and invoice, or the shop's of the order. The first is the object's
   * own id.
   */
  providerIds: string[];
  /** The shop's id of the order, if it may differ from its number. */
  shopOrderId?: string | null;
  /** The shop's id of the order of which this one may be a part. */
  parentId?: string | null;
  /** Set for a test. Null if the provider does not separate tests from live payments; then the source's mode counts. */
  isTest: boolean | null;
  /** Time of the order, as ISO 8601; null to use the time at which the event arrives. */
  at: string | null;
  /** Time of the object's last change by the provider's clock; null if it never changes. */
  changedAt: string | null;
  state: State;
  /** Set if the order was paid at some time, whatever its state is now. */
  wasPaid: boolean;
  /** The state of the buyer, if each event contains the whole order. Absent if an event without a buyer states nothing. */
  buyer?: 'named' | 'none' | 'erased' | 'withheld';
  /** All refunds of the order; absent if the event may not list them. */
  refunds?: ListedRefund[];
}

/** A refund in an order's list, or in a separate event. */
export interface ListedRefund {
  refundId: string;
  /** An exact amount in major units. */
  amount: number | string;
  /** Currency of the refund; null for the order's currency. */
  currency: string | null;
  reason: string | null;
  /** Time of the refund. Null if the shop's list has no times; then the time of the order's last change is used. */
  at: string | null;
}

/** Returned money, or a lost dispute, that a separate event reports. */
export interface SourceRefund {
  kind: 'refund';
  /** The provider's id of the refund or dispute. */
  id: string;
  /** The provider's ids of the refund's payment, or of its order. */
  providerIds: string[];
  /** The shop's order id, which pages report, too; null if the event has none. */
  orderId: string | null;
  refunds: ListedRefund[];
  isDispute: boolean;
  isTest: boolean | null;
  at: string | null;
  changedAt: string | null;
  /** `ended` if the refund failed, or the dispute was won. */
  state: 'paid' | 'ended';
}

/** An event without an order or a refund. */
export interface NoEvent {
  /**
   * `ignored` is understood. `ping` is a test message. `misread` is kept among the refused reports. `error` is the
   * shop's own error in place of an event. It is refused, so that the shop counts a failure.
   */
  kind: 'ignored' | 'ping' | 'misread' | 'error';
  why: string;
}

/** A provider's event after the check of its signature, or from its API. */
export interface ReceivedEvent {
  /** The JSON value. A number that a float cannot hold exactly is a string. */
  payload: unknown;
  /** The header that names the kind of event; null if the payload names it, as with Stripe. */
  topic: string | null;
  /** Set if the API key may not read buyers. A missing buyer is then not an erased one. */
  isBuyerWithheld?: boolean;
  /** Time at which the shop was asked for it. Absent for a delivered event, and for a list of old events. */
  askedAt?: string;
}

/**
 * Maps an event of one provider. It is a pure function. It may throw or return an empty list for an unknown payload,
 * which is then kept among the refused reports.
 */
export type MapEvent = (event: ReceivedEvent) => SourceEvent[];

/** Makes the fact of an event without an order or a refund, with the reason. */
export function ignored(why: string): NoEvent {
  return { kind: 'ignored', why };
}
