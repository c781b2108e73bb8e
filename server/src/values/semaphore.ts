import { Overloaded } from './errors.js';

export interface SemaphoreLimits {
  /** Most holders, of all keys. */
  concurrent: number;
  /**
   * Most holders of one key; default: `concurrent`. It may be a function of the number that is still free of `concurrent`. Use a
   * function only with `tryAcquire`, because a release may then free several keys.
   */
  concurrentPerKey?: number | ((free: number) => number);
  /** Most waiting calls, of all keys. A further one is refused. */
  waiting: number;
  /** Most waiting calls of one key; default: `waiting`. A lower number leaves room for other keys. */
  waitingPerKey?: number;
  /** Time that a call may wait; default: no limit. */
  waitAtMostMs?: number;
  /** The message of a refusal; default: that of `unavailable`. */
  message?: string;
}

/** Releases what was acquired. Call it once. */
export type Release = () => void;

/** Limits concurrent actions, in total and per key. */
export interface Semaphore {
  /** Counts holders and waiting calls. */
  load(): number;
  /** Acquires without waiting; null if the key is not free. */
  tryAcquire(key: string): Release | null;
  /**
   * Runs an action as soon as its key is free. Waiting keys take turns.
   * @param key default: one that all calls share
   * @throws Overloaded if too many calls wait, or if this one has waited too long
   */
  run<Result>(action: () => PromiseLike<Result>, key?: string): Promise<Result>;
}

interface Waiting {
  resolve(release: Release): void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Creates a semaphore. It limits concurrent actions, in total and per key. Further actions wait within the limits, or are refused.
 */
export function createSemaphore({
  concurrent,
  concurrentPerKey = concurrent,
  waiting: waitingAtMost,
  waitingPerKey = waitingAtMost,
  waitAtMostMs,
  message,
}: SemaphoreLimits): Semaphore {
  /** Number of holders of each key. A key without holders has no entry. */
  const heldBy = new Map<string, number>();
  const ofKey = typeof concurrentPerKey === 'function' ? concurrentPerKey : () => concurrentPerKey;
  const queues = new Map<string, Set<Waiting>>();
  let held = 0;
  let waiting = 0;

  return {
    load: () => held + waiting,
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

  function isFree(key: string): boolean {
    return held < concurrent && (heldBy.get(key) ?? 0) < ofKey(concurrent - held);
  }

  function hold(key: string): Release {
    held++;
    heldBy.set(key, (heldBy.get(key) ?? 0) + 1);
    return () => {
      held--;
      const left = heldBy.get(key)! - 1;
      if (left > 0) heldBy.set(key, left);
      else heldBy.delete(key);
      wakeNext();
    };
  }

  function wait(key: string): Promise<Release> {
    const queue = queues.get(key) ?? new Set();
    if (waiting >= waitingAtMost || queue.size >= waitingPerKey)
      return Promise.reject(new Overloaded(message));
    queues.set(key, queue);
    waiting++;
    return new Promise((resolve, reject) => {
      const call: Waiting = { resolve, timer: undefined };
      queue.add(call);
      if (waitAtMostMs === undefined) return;
      call.timer = setTimeout(() => {
        leave(key, call);
        reject(new Overloaded(message));
      }, waitAtMostMs).unref();
    });
  }

  function wakeNext(): void {
    for (const [key, queue] of queues) {
      if (!isFree(key)) continue;
      const [call] = queue;
      leave(key, call!);
      // A key with more waiting calls goes to the end of the line.
      if (queues.delete(key)) queues.set(key, queue);
      clearTimeout(call!.timer);
      call!.resolve(hold(key));
      return;
    }
  }

  function leave(key: string, call: Waiting): void {
    const queue = queues.get(key)!;
    waiting--;
    queue.delete(call);
    if (queue.size === 0) queues.delete(key);
  }
}
