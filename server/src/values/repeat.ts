import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from './withTimeout.js';

/** Time that running work gets to end when it is stopped. Another server, or this one after its next start, does the rest. */
const stopMs = 1_000;

/**
 * Repeats work until it is stopped. It never overlaps with itself, because the pause begins after the work has ended. It keeps no
 * process alive. Failed work is repeated after the usual pause.
 * @param everyMs the pause between two runs
 * @param work gets a signal that aborts when it should end early
 * @param options.onFault called with each error
 * @param options.firstMs the pause before the first run; default: `everyMs`
 * @returns stops it: no further run begins, and a running one has a second to end
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
