import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Settings, streams and exit code of one run of a command. `process` has this type. */
export interface CommandIo {
  env: Record<string, string | undefined>;
  stdin: Readable;
  stdout: OutputStream;
  stderr: OutputStream;
  /** Exit code of a run that throws nothing. Default: 0. */
  exitCode?: number | string | null | undefined;
}

type OutputStream = NodeJS.WritableStream & { isTTY?: boolean };

/** Writes a line to stderr that is neither a result nor an error. */
export function note({ stderr }: Pick<CommandIo, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`);
}

/** Stdout accepts no more output. The program that reads it knows the reason and reports it. */
export class OutputError extends Error {
  override name = 'OutputError';
}

/** Writes to stdout no faster than it accepts. Resolves when there is room for more. @throws OutputError */
export async function print({ stdout }: Pick<CommandIo, 'stdout'>, content: string | Buffer): Promise<void> {
  if (stdout.write(content)) return;
  await once(stdout, 'drain').catch((cause: Error) => {
    throw new OutputError(cause.message, { cause });
  });
}

/** Minimum time between two redraws. */
const intervalMs = 100;

/**
 * Creates a counter on stderr for a noun such as `orders`. `end` shows the final count. Writes nothing if stderr is no terminal.
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
