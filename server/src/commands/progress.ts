import type { CommandIo } from './io.js';

/** Minimum time between two redraws. */
const intervalMs = 100;

/**
 * Creates a counter on stderr with a noun such as `orders`; `end` shows the final count. Writes nothing when stderr is not a
 * terminal.
 */
export function createProgress({ stderr }: CommandIo, name: string) {
  let nextMs = 0;
  const write = (text: string) => {
    if (stderr.isTTY) stderr.write(text);
  };
  return {
    show(count: number) {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + intervalMs;
      write(`\r${count} ${name}`);
    },
    end: (count: number) => write(`\r${count} ${name}\n`),
  };
}
