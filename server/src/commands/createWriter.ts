import { once } from 'node:events';

/** Writes to a stream no faster than it accepts: resolves when there is room for more. */
export function createWriter(out: NodeJS.WritableStream) {
  return async function write(text: string): Promise<void> {
    if (!out.write(text)) await once(out, 'drain');
  };
}
