/** Virtual time. Planned events run one after another, and all microtasks run between two events. */
export interface Time {
  /** Milliseconds since the beginning of the simulation. It never goes back, but the clocks of browsers may. */
  nowMs(): number;
  plan(delayMs: number, happen: () => void): void;
  /** Runs all events that are planned up to a time. */
  runUntil(endMs: number): Promise<void>;
}

interface Planned {
  atMs: number;
  order: number;
  happen: () => void;
}

/** Number of events that means an endless loop. A simulation needs some hundreds. */
const eventsAtMost = 20_000;

const isBefore = (a: Planned, b: Planned) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** Resolves in a new macrotask, after all microtasks. */
const microtasks = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createTime(): Time {
  /** Binary heap of the planned events, earliest first. */
  const heap: Planned[] = [];
  let now = 0;
  let count = 0;
  let happened = 0;

  const push = (planned: Planned) => {
    let at = heap.push(planned) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(planned, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = planned;
  };

  const pop = () => {
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || !isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  };

  return {
    nowMs: () => now,
    plan: (delayMs, happen) => push({ atMs: now + Math.max(0, delayMs), order: count++, happen }),
    async runUntil(endMs) {
      // Runs the microtasks of the last event.
      await microtasks();
      while (heap.length > 0 && heap[0]!.atMs <= endMs) {
        if (++happened > eventsAtMost) throw new Error('something runs hot');
        const { atMs, happen } = pop();
        now = atMs;
        happen();
        await microtasks();
      }
      now = endMs;
    },
  };
}
