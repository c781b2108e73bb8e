import type { Uuid } from '../../values/ids.js';

/**
 * The outcome of an event. `kept` is stored among the refused reports. `ignored` contains no order and no refund.
 * `invalid_signature` and `shop_error` were refused.
 */
export type EventOutcome =
  | 'new'
  | 'known'
  | 'refund'
  | 'taken_back'
  | 'kept'
  | 'ignored'
  | 'ping'
  | 'invalid_signature'
  | 'shop_error';

/** The result of storing an event. */
export interface StoredEvent {
  outcome: EventOutcome;
  /** Outcomes of the refunds that the order lists, and `taken_back` if a refund has left its list. */
  refunds?: readonly EventOutcome[];
  /** The order that it reported or refunded; null if it has none. */
  order: { id: Uuid; isTest: boolean } | null;
  /** Ids of orders that were merged into this one. */
  mergedIds?: readonly Uuid[];
}
