import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from './withTimeout.js';

/** Work that is cut is done by the next server, or after the next start. */
const stopMs = 1_000;

/**
 * Does work again and again, until it is stopped. It never overlaps with itself, because the pause begins when it has ended, and
 * keeps no process alive. Work that fails is done again at its next time.
 * @param everyMs the pause between two times
 * @param work is given a signal that it is to end early, because it is stopped
 * @param options.onFault gets each failure
 * @param options.firstMs the pause before the first time; default `everyMs`
 * @returns stops it: nothing begins any more, and what goes on has a second to end
 */
export function repeat(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  { onFault, firstMs = everyMs }: { onFault: (error: unknown) => void; firstMs?: number },
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = run();
  return async function stop() {
    stopping.abort();
    await withTimeout(stopMs, ended);
  };

  async function run(): Promise<void> {
    for (let pauseMs = firstMs; ; pauseMs = everyMs) {
      await delay(pauseMs, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      await work(signal).catch(onFault);
    }
  }
}
