import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from './command.js';
import { type CommandIo, print } from './io.js';

/**
 * Writes gzip to stdout, and resolves with its size in bytes when all of it is written. Throws `UsageError` when stdout
 * is a terminal. The exit code is 1 until then: half a backup is none, so a reader that closes the pipe early makes
 * this command fail, and no other. So does a disk that is full: Node ignores that a file took a part of a write (`SyncWriteStream`).
 */
export async function writeGzipOut(io: CommandIo, content: AsyncGenerator<Buffer>): Promise<number> {
  if (io.stdout.isTTY) {
    throw new UsageError('The backup would go to the terminal; redirect it: backup - > orderbeacon.gz');
  }
  const { exitCode } = io;
  io.exitCode = 1;
  const before = fileBytes(io);
  let bytes = 0;
  await pipeline(Readable.from(content), createGzip(), async (pieces) => {
    for await (const piece of pieces) {
      bytes += (piece as Buffer).length;
      await print(io, piece as Buffer);
    }
  });
  const written = fileBytes(io) - before;
  if (written < bytes) {
    throw new UsageError(
      `The output took ${written} of ${bytes} bytes. Is the disk full? Remove it: it is no backup.`,
    );
  }
  io.exitCode = exitCode;
  return bytes;
}

/** Size of the file that stdout is redirected to. NaN for a pipe, whose every write counts or fails. */
function fileBytes({ stdout }: CommandIo): number {
  const { fd } = stdout as { fd?: number };
  const stat = fd === undefined ? undefined : fstatSync(fd);
  return stat?.isFile() ? stat.size : Number.NaN;
}
