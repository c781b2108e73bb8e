import type { ObjectKind, State } from '../../../core/orders/merge/statement.js';

/** A fact of a provider's event. One event can have several of them, and none. */
export type SourceEvent = SourceOrder | SourceRefund | NoEvent;

/** A shop's order, or an object of a payment, as one event tells it. */
export interface SourceOrder {
  kind: 'order';
  /** What it is. */
  of: Exclude<ObjectKind, 'refund' | 'report'>;
  /**
   * The report, as an integrator would send it, without `teamId`. Its amount may be an exact decimal as text. It is
   * repaired as a page's report is, and kept among the refused reports when it is not valid then.
   */
  report: Record<string, unknown>;
  /** The provider's ids of payment, session, charge and invoice, or the shop's of the order; the first one is its own. */
  providerIds: string[];
  /** The shop's own id of the order, beside its number. */
  shopOrderId?: string | null;
  /** The shop's own id of the order of which this one may be a part. */
  parentId?: string | null;
  /** Null where the provider does not tell tests from live payments: then the source decides. */
  isTest: boolean | null;
  /** Time of the order, as ISO 8601; null for the time at which the event comes. */
  at: string | null;
  /** Time of its last change by the provider's clock; null where each event tells the same for ever. */
  changedAt: string | null;
  state: State;
  /** True if it was paid once, whatever its state is now. */
  wasPaid: boolean;
  /** What it says of the buyer, if each event says all of the order; absent where an event without one says nothing. */
  buyer?: 'named' | 'none' | 'erased' | 'withheld';
  /** All refunds of the order; absent where the event may not tell. */
  refunds?: ListedRefund[];
}

/** A refund in an order's list, or of an event of its own. */
export interface ListedRefund {
  refundId: string;
  /** In major units, exact. */
  amount: number | string;
  /** Null for that of the order. */
  currency: string | null;
  reason: string | null;
  /** Null where the list has no times: then it is that of the order's change. */
  at: string | null;
}

/** Money that was given back, by an event of its own; of a lost dispute, too. */
export interface SourceRefund {
  kind: 'refund';
  /** The provider's id of the refund or dispute. */
  id: string;
  /** Ids of its payment, or of its order. */
  providerIds: string[];
  /** The shop's own id of the order, by which pages report it; null where the event names none. */
  orderId: string | null;
  refunds: ListedRefund[];
  isDispute: boolean;
  isTest: boolean | null;
  at: string | null;
  changedAt: string | null;
  /** `ended` did not happen after all: it failed, or the dispute was won. */
  state: 'paid' | 'ended';
}

/** An event of which nothing is stored. */
export interface NoEvent {
  /**
   * `ignored` is understood, and holds no order and no refund. `ping` is a test message. `misread` is kept among the
   * refused reports. `error` is the shop's own error in place of an event, which the shop is to count as a failure.
   */
  kind: 'ignored' | 'ping' | 'misread' | 'error';
  why: string;
}

/** A provider's event, whose signature was right. */
export interface ReceivedEvent {
  /** The JSON value. Numbers that a float would change are texts. */
  payload: unknown;
  /** The header that names the kind of event; null where the payload does, as with Stripe. */
  topic: string | null;
  /** True for an answer whose key may not read buyers, which is no erasure. */
  isBuyerWithheld?: boolean;
  /** When the shop was asked for it; absent for what it delivered, and for a list of old events. */
  askedAt?: string;
}

/**
 * Maps an event of one provider. Pure. May throw or return nothing for a payload of unknown shape, which is kept among the
 * refused reports then.
 */
export type MapEvent = (event: ReceivedEvent) => SourceEvent[];

/** Says why an event holds no order and no refund. */
export function ignored(why: string): NoEvent {
  return { kind: 'ignored', why };
}
