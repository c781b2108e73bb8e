import type { Release } from '../../values/semaphore.js';

/** Slots that groups share. */
export interface Shares {
  /** Takes a slot for a group; null when there is none for it now. */
  tryAcquire(group: string): Release | null;
}

/**
 * Shares slots among groups: a group may hold at most as many as are still free. One alone gets half of them, and several
 * still leave some to the next, so that a few groups cannot hold all.
 */
export function createShares(slots: number): Shares {
  const heldBy = new Map<string, number>();
  let free = slots;
  return {
    tryAcquire(group) {
      const held = heldBy.get(group) ?? 0;
      if (held >= free) return null;
      heldBy.set(group, held + 1);
      free--;
      return () => {
        const left = heldBy.get(group)! - 1;
        if (left === 0) heldBy.delete(group);
        else heldBy.set(group, left);
        free++;
      };
    },
  };
}
