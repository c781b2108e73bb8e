import type { ComparedOrder } from '../compare/comparedOrders.js';
import type { Comparison } from '../compare/comparison.js';
import type { FileOrder, Unread } from '../read/fileOrder.js';
import type { Press } from '../store/comparePress.js';

/** Differences of a kind that a page shows. */
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
  /** Number of the missing orders that can be stored. */
  storable: number;
}

/** The result of reading a file: its head line, and what was found or why it cannot be compared. */
export interface ComparedUpload {
  head: readonly string[];
  shown?: ShownComparison;
  refusal?: string;
}

/** The outcome of storing the missing orders of a file. */
export interface StoredMissing {
  stored: number;
  /** What takes back those that were new; null for none. */
  press: Press | null;
  notStored: Unread[];
  /** Orders that there was no time for. */
  left: number;
  /** True where no id of the file is known and others are, so that nothing is stored before a second press. */
  isHeld: boolean;
  /** True where a second press stores what was held, or taken for a stored order by its amount and day alone. */
  isInDoubt: boolean;
}
