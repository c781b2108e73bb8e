import type { ShopSource } from './source.js';
import type { EventOutcome } from './storedEvent.js';

/**
 * What became of a request at a source's URL: the outcome of its event, `too_large` for one that was not read, and `other_host` for
 * one of a shop that is not the source's.
 */
export type RequestOutcome = EventOutcome | 'too_large' | 'other_host';

/** What came of the events of a source since the last write. */
export interface LastEvent {
  source: ShopSource;
  /** Null where no event was recorded. */
  outcome: RequestOutcome | null;
  /** True where one was signed as it should be. */
  isSigned: boolean;
  /** Events that were not, since the last one that was. */
  unsigned: number;
  large: number;
  isRefused: boolean;
}
