import type { ComparedOrder } from '../compare/comparedOrders.js';
import type { Comparison } from '../compare/comparison.js';
import type { FileOrder, Unread } from '../read/fileOrder.js';
import type { Press } from '../store/comparePress.js';

/** Differences of one kind that a page shows at most. */
export const shownAtMost = 100;

/** A comparison with the first differences of each kind. */
export interface ShownComparison {
  outcome: Comparison;
  missing: FileOrder[];
  different: { order: FileOrder; here: ComparedOrder }[];
  onlyHere: ComparedOrder[];
  /** Rows that were not read, and missing orders that cannot be stored. */
  unread: Unread[];
  notStored: Unread[];
  /** Number of missing orders that can be stored. */
  storable: number;
}

/** The result of reading a file: its head line, and the comparison or the reason why it was refused. */
export interface ComparedUpload {
  head: readonly string[];
  shown?: ShownComparison;
  refusal?: string;
}

/** The outcome of storing a file's missing orders. */
export interface StoredMissing {
  stored: number;
  /** The press that can be undone; null if it stored no new order. */
  press: Press | null;
  notStored: Unread[];
  /** Missing orders that wait for the next press of the button. One press stores for 5 s, and 5,000 orders at most. */
  left: number;
  /** Set if no order of the file is stored but others are. Nothing is stored until the user confirms. */
  isHeld: boolean;
  /**
   * Set if the user may confirm orders that were not stored: all of them, or those like a stored order in amount and
   * day.
   */
  isInDoubt: boolean;
}
