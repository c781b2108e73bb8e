/** Counts of groups that come and go without end. */
export interface GroupCounts {
  of(group: string): number;
  add(group: string, change: number): void;
}

/** Makes counts that keep no group at 0. */
export function createGroupCounts(): GroupCounts {
  const counts = new Map<string, number>();
  const of = (group: string) => counts.get(group) ?? 0;
  return {
    of,
    add(group, change) {
      const next = of(group) + change;
      if (next === 0) counts.delete(group);
      else counts.set(group, next);
    },
  };
}
