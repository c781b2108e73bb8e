/** Something that a provider's event tells. One event can tell several things, and none. */
export type SourceEvent = SourceOrder | SourceRefund | { kind: 'ignored'; why: string };

/** An order that was paid. */
export interface SourceOrder {
  kind: 'order';
  /**
   * The report, as an integrator would send it, without `teamId`. Its amount may be an exact decimal as text. It is
   * repaired as a page's report is, and kept among the refused reports when it is not valid then.
   */
  report: Record<string, unknown>;
  /** The provider's ids: all that is said with one of them is one order. None where only the order has an id. */
  keys: string[];
  /** Time of the provider's last change to what it says, as ISO 8601: the later report counts. Null where it has none. */
  changedAt: string | null;
  /** Null where the provider does not tell tests from live payments: then the source decides. */
  isTest: boolean | null;
  /** Time of the order, as ISO 8601; null for the time at which the event comes. */
  at: string | null;
}

/** Money that was given back. It names its order, its payment, or both. */
export interface SourceRefund {
  kind: 'refund';
  /** The shop's own id of the order. */
  orderId: string | null;
  /** One of the provider's ids, as in `SourceOrder`. */
  paymentId: string | null;
  refundId: string;
  /** In major units, exact; null for all that is left. */
  amount: number | string | null;
  reason: string | null;
  isTest: boolean | null;
  at: string | null;
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
 * refused reports then. An event that is understood and tells of no order and no refund is `ignored`.
 */
export type MapEvent = (event: ReceivedEvent) => SourceEvent[];

/** Says why an event tells of no order and no refund. */
export function ignored(why: string): SourceEvent {
  return { kind: 'ignored', why };
}
