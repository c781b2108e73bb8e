import type { Uuid } from '../../values/ids.js';

/**
 * The outcome of an event: `kept` among the refused reports, `ignored` because it holds no order and no refund,
 * `invalid_signature` and `shop_error` when it was refused.
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

/** An event whose outcome is known. */
export interface StoredEvent {
  outcome: EventOutcome;
  /** Of an order's refunds: each that it lists, and `taken_back` if one has left its list. */
  refunds?: readonly EventOutcome[];
  /** The order that it reported or refunded; null for none. */
  order: { id: Uuid; isTest: boolean } | null;
  /** Orders that turned out to be a part of it. */
  mergedIds?: readonly Uuid[];
}
