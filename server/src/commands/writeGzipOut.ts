import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { note, UsageError } from './command.js';

/**
 * Writes gzip to stdout, and resolves with its size in bytes when all of it is written. Throws `UsageError` when stdout
 * is a terminal. A reader that closes the pipe early ends the process with 1, as half a backup is none; other commands
 * end with 0 then.
 */
export async function writeGzipOut(content: AsyncGenerator<Buffer>): Promise<number> {
  if (process.stdout.isTTY) {
    throw new UsageError('The backup would go to the terminal; redirect it: backup - > orderbeacon.gz');
  }
  process.stdout.prependListener('error', (error: NodeJS.ErrnoException) => {
    note(`orderbeacon: The backup could not be written to stdout: ${error.code}.`);
    process.exit(1);
  });
  let bytes = 0;
  await pipeline(Readable.from(content), createGzip(), async (pieces) => {
    for await (const piece of pieces) {
      bytes += (piece as Buffer).length;
      if (!process.stdout.write(piece as Buffer)) await once(process.stdout, 'drain');
    }
  });
  return bytes;
}
