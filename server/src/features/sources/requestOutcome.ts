import type { ShopSource } from './source.js';
import type { EventOutcome } from './storedEvent.js';

/**
 * The outcome of a request to a source's URL. `too_large`: its body was not read. `other_host`: another shop than the
 * source's sent it.
 */
export type RequestOutcome = EventOutcome | 'too_large' | 'other_host';

/** The events of a source since the last write, as one record. */
export interface LastEvent {
  source: ShopSource;
  /** Outcome of the last event; null if no event was recorded. */
  outcome: RequestOutcome | null;
  /** Set if a signed event came. */
  isSigned: boolean;
  /** Events with a wrong signature since the last signed one. */
  unsigned: number;
  large: number;
  isRefused: boolean;
}
