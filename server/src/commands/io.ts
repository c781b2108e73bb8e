import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Settings, streams and exit code of one run of the command. `process` is one. */
export interface CommandIo {
  env: Record<string, string | undefined>;
  stdin: Readable;
  stdout: OutputStream;
  stderr: OutputStream;
  /** The exit code of a run that throws nothing, default 0. */
  exitCode?: number | string | null | undefined;
}

type OutputStream = NodeJS.WritableStream & { isTTY?: boolean };

/** Writes a line to stderr that is neither result nor error. */
export function note({ stderr }: Pick<CommandIo, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`);
}

/** Stdout takes no more. Its owner knows why, and says so. */
export class OutputError extends Error {
  override name = 'OutputError';
}

/** Writes to stdout no faster than it accepts: resolves when there is room for more. Throws `OutputError`. */
export async function print({ stdout }: Pick<CommandIo, 'stdout'>, content: string | Buffer): Promise<void> {
  if (stdout.write(content)) return;
  await once(stdout, 'drain').catch((cause: Error) => {
    throw new OutputError(cause.message, { cause });
  });
}

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
