/** Between two looks at a count that grows nobody needs less. */
const intervalMs = 100;

/** Shows on stderr how far something is, where a person watches. */
export interface Progress {
  show(count: number): void;
  /** Shows the last count, and leaves the line. */
  end(count: number): void;
}

/** Makes a progress line that counts things of a name, such as `orders`; silent where stderr is no terminal. */
export function createProgress(name: string): Progress {
  let nextMs = 0;
  const write = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(text);
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
