import type { CommandIo } from './io.js';

/** Minimum time between two redraws. */
const intervalMs = 100;

/** Counter on stderr for a person at a terminal. */
export interface Progress {
  show(count: number): void;
  /** Shows the final count and ends the line. */
  end(count: number): void;
}

/** Makes a progress line with a noun such as `orders`. Writes nothing when stderr is not a terminal. */
export function createProgress({ stderr }: CommandIo, name: string): Progress {
  let nextMs = 0;
  const write = (text: string) => {
    if (stderr.isTTY) stderr.write(text);
  };
  return {
    show(count) {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + intervalMs;
      write(`\r${count} ${name}`);
    },
    end: (count) => write(`\r${count} ${name}\n`),
  };
}
