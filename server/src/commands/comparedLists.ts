import type { ComparedOrder } from '../compare/comparedOrders.js';
import type { Difference } from '../compare/comparison.js';
import type { FileOrder, Unread } from '../compare/fileOrders.js';
import { createSpool, type Spool } from './spool.js';

/** The differences of a comparison, each kind in a list of its own. */
export interface ComparedLists {
  missing: Spool<FileOrder>;
  different: Spool<{ order: FileOrder; here: StoredForm }>;
  onlyHere: Spool<StoredForm>;
  unread: Spool<Unread>;
  notStored: Spool<Unread>;
}

/** A stored order as a list holds it. */
export type StoredForm = Omit<ComparedOrder, 'createdAt'> & { createdAt: string };

/** Makes empty lists. */
export function createLists(): ComparedLists {
  return {
    missing: createSpool(),
    different: createSpool(),
    onlyHere: createSpool(),
    unread: createSpool(),
    notStored: createSpool(),
  };
}

/** Frees the lists. */
export async function closeLists(lists: ComparedLists): Promise<void> {
  for (const list of Object.values(lists)) await list.close();
}

/** Adds a difference to its list. */
export function keepDifference(lists: ComparedLists, found: Difference): Promise<void> {
  switch (found.kind) {
    case 'missing':
      return lists.missing.add(found.order);
    case 'different':
      return lists.different.add({ order: found.order, here: toForm(found.here) });
    case 'onlyHere':
      return lists.onlyHere.add(toForm(found.here));
    case 'unread':
      return lists.unread.add(found.unread);
  }
}

function toForm(order: ComparedOrder): StoredForm {
  return { ...order, createdAt: order.createdAt.toISOString() };
}
