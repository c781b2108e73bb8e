import { ApiError } from './errors.js';

/** Semaphore limits. */
export interface SemaphoreLimits {
  /** Holders, of all keys. */
  concurrent: number;
  /** Holders of one key; default `concurrent`. */
  concurrentPerKey?: number;
  /** Waiting calls, of all keys; one more is refused. */
  waiting: number;
  /** Waiting calls of one key; default `waiting`. Less than that leaves places to other keys. */
  waitingPerKey?: number;
  /** Time that a call may wait; default: without limit. */
  waitAtMostMs?: number;
  /** The answer to a call that is refused; default: the one of `unavailable`. */
  message?: string;
  /**
   * The node that holds a key's rows, where there are several and it is known. Holders of one node leave one of
   * `concurrent` to the other nodes, so that a node that hangs does not stop them; but they are at least one more
   * than those of one key, so that a key that hangs leaves one to the others of its node.
   */
  nodeOf?: (key: string) => number | undefined;
}

/** Gives back what was acquired; to be called once. */
export type Release = () => void;

/** Limits how much runs concurrently, in total and per key. */
export interface Semaphore {
  /** Holders and waiting calls. */
  load(): number;
  /** Holders. */
  held(): number;
  /** True when no key can be acquired now. */
  isFull(): boolean;
  /** True when this key can be acquired now. */
  isFree(key: string): boolean;
  /** Acquires without waiting; null when the key is not free. */
  tryAcquire(key: string): Release | null;
  /**
   * Runs an action as soon as its key is free; keys that wait take turns.
   * @param key default: one that all calls share
   * @throws ApiError `unavailable` when too many calls wait, or this one has waited too long
   */
  run<Result>(action: () => PromiseLike<Result>, key?: string): Promise<Result>;
}

interface Waiting {
  resolve(release: Release): void;
  timer: NodeJS.Timeout | undefined;
}

/** Limits concurrent actions, in total and per key. More actions wait within the limits, or are refused. */
export function createSemaphore({
  concurrent,
  concurrentPerKey = concurrent,
  waiting: waitingAtMost,
  waitingPerKey = waitingAtMost,
  waitAtMostMs,
  message,
  nodeOf = () => undefined,
}: SemaphoreLimits): Semaphore {
  const concurrentPerNode = Math.max(concurrentPerKey + 1, concurrent - 1);
  const heldByKey = createCounts<string>();
  const heldByNode = createCounts<number>();
  const queues = new Map<string, Set<Waiting>>();
  let held = 0;
  let waiting = 0;

  return {
    load: () => held + waiting,
    held: () => held,
    isFull,
    isFree,
    tryAcquire: (key) => (isFree(key) ? hold(key) : null),
    async run(action, key = '') {
      const release = isFree(key) ? hold(key) : await wait(key);
      try {
        return await action();
      } finally {
        release();
      }
    },
  };

  function isFull(): boolean {
    return held >= concurrent;
  }

  function isFree(key: string): boolean {
    if (isFull() || heldByKey.of(key) >= concurrentPerKey) return false;
    const node = nodeOf(key);
    return node === undefined || heldByNode.of(node) < concurrentPerNode;
  }

  function hold(key: string): Release {
    // The key may move to another node before it is released.
    const node = nodeOf(key);
    count(1);
    return () => {
      count(-1);
      if (waiting > 0) wakeNext();
    };

    function count(change: 1 | -1) {
      held += change;
      heldByKey.add(key, change);
      if (node !== undefined) heldByNode.add(node, change);
    }
  }

  function wait(key: string): Promise<Release> {
    const queue = queues.get(key) ?? new Set();
    if (waiting >= waitingAtMost || queue.size >= waitingPerKey) throw refusal();
    queues.set(key, queue);
    waiting++;
    return new Promise((resolve, reject) => {
      const call: Waiting = { resolve, timer: undefined };
      queue.add(call);
      if (waitAtMostMs === undefined) return;
      call.timer = setTimeout(() => {
        leave(key, call);
        reject(refusal());
      }, waitAtMostMs).unref();
    });
  }

  function refusal(): ApiError {
    return new ApiError('unavailable', message === undefined ? {} : { message });
  }

  function wakeNext(): void {
    for (const [key, queue] of queues) {
      if (isFull()) return;
      if (!isFree(key)) continue;
      const [call] = queue;
      leave(key, call!);
      // A key with more waiting calls goes to the end of the line.
      if (queues.delete(key)) queues.set(key, queue);
      clearTimeout(call!.timer);
      call!.resolve(hold(key));
    }
  }

  function leave(key: string, call: Waiting): void {
    const queue = queues.get(key)!;
    waiting--;
    queue.delete(call);
    if (queue.size === 0) queues.delete(key);
  }
}

/** Counts by key; a count of 0 takes no memory. */
function createCounts<Key>() {
  const counts = new Map<Key, number>();
  const of = (key: Key) => counts.get(key) ?? 0;
  return {
    of,
    add(key: Key, change: number) {
      const next = of(key) + change;
      if (next === 0) counts.delete(key);
      else counts.set(key, next);
    },
  };
}
