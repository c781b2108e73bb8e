/** Virtual time. Nothing happens but what was planned, one thing after another, and all microtasks between. */
export interface Time {
  /** Milliseconds since the world began. It never goes back; clocks on the wall may. */
  nowMs(): number;
  plan(delayMs: number, happen: () => void): void;
  /** Lets all that is planned up to then happen. */
  runUntil(endMs: number): Promise<void>;
}

interface Planned {
  atMs: number;
  order: number;
  happen: () => void;
}

/** So many events mean that something runs hot; a world needs some hundreds. */
const eventsAtMost = 20_000;

const isBefore = (a: Planned, b: Planned) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A macrotask comes when all microtasks are done. */
const microtasks = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createTime(): Time {
  /** A binary heap, the next event first. */
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
      // Of what the world has done since the last event.
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
