/** A fact of a provider's event. One event can have several of them, and none. */
export type SourceEvent = SourceOrder | UnpaidOrder | SourceRefund | RefundTakenBack | RefundList | NoEvent;

/** An order that was paid. */
export interface SourceOrder {
  kind: 'order';
  /**
   * The report, as an integrator would send it, without `teamId`. Its amount may be an exact decimal as text. It is
   * repaired as a page's report is, and kept among the refused reports when it is not valid then.
   */
  report: Record<string, unknown>;
  /** The provider's ids of payment, session, charge and invoice, or the shop's of the order: all that is said of one is one order. */
  keys: string[];
  /** Null where the provider does not tell tests from live payments: then the source decides. */
  isTest: boolean | null;
  /** Time of the order, as ISO 8601; null for the time at which the event comes. */
  at: string | null;
  /** Time of its last change by the provider's clock; null where each event tells the same for ever. */
  changedAt: string | null;
  /** True where the shop says that it has erased the buyer. */
  isErased?: true;
}

/** An order that ended without a payment. A page that reported it, as one that is paid on delivery, was too early. */
export interface UnpaidOrder {
  kind: 'unpaid';
  orderId: string;
  /** As in `SourceOrder`; one. */
  key: string;
  isTest: boolean | null;
  /** Time of the order's last change. */
  at: string | null;
}

/** Money that was given back. It names its order, its payment, or both. */
export interface SourceRefund {
  kind: 'refund';
  /** The shop's own id of the order. */
  orderId: string | null;
  /** One of the keys in `SourceOrder`. */
  paymentId: string | null;
  refundId: string;
  /** In major units, exact; null for all that is left. */
  amount: number | string | null;
  reason: string | null;
  isTest: boolean | null;
  at: string | null;
  /** Time of the order's list that has it, where each event holds the whole list: a later list without it has deleted it. */
  listedAt?: string | null;
  /** Set for a lost dispute, which an order's own list of refunds never has. Its currency may be another than the order's. */
  dispute?: { currency: string | null };
}

/** A refund that did not happen after all: it failed, or the dispute was won. */
export interface RefundTakenBack {
  kind: 'takenBack';
  /** As in `SourceRefund`. */
  orderId: string | null;
  refundId: string;
  isTest: boolean | null;
}

/** All refunds of an order at a time. A refund of an earlier time that is not among them was deleted. */
export interface RefundList {
  kind: 'refundList';
  orderId: string;
  /** As in `SourceRefund`. */
  paymentId: string | null;
  refundIds: string[];
  isTest: boolean | null;
  at: string | null;
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
