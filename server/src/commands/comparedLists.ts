import type { ComparedOrder } from '../compare/comparedOrders.js';
import type { Difference } from '../compare/comparison.js';
import type { FileOrder, Unread } from '../compare/fileOrders.js';

/** The differences of a comparison, each kind in a list of its own. */
export interface ComparedLists {
  missing: FileOrder[];
  different: { order: FileOrder; here: ComparedOrder }[];
  onlyHere: ComparedOrder[];
  unread: Unread[];
  notStored: Unread[];
}

/** Adds a difference to its list. */
export function keepDifference(lists: ComparedLists, found: Difference): void {
  switch (found.kind) {
    case 'missing':
      lists.missing.push(found.order);
      break;
    case 'different':
      lists.different.push(found);
      break;
    case 'onlyHere':
      lists.onlyHere.push(found.here);
      break;
    case 'unread':
      lists.unread.push(found.unread);
  }
}
