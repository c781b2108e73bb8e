import type { Release } from '../values/semaphore.js';

/** Places that groups share. */
export interface Shares {
  /** Takes a place for a group; null when there is none for it now. */
  tryAcquire(group: string): Release | null;
}

/**
 * Shares places among groups: a group may take as many as it leaves free. One alone gets half of them, and several still
 * leave some to the next, so that no few groups can hold all.
 */
export function createShares(places: number): Shares {
  const heldBy = new Map<string, number>();
  let free = places;
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
