import { randomUUID } from 'node:crypto';
import { existsSync, fstatSync, writeFileSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { UsageError } from '../../commands/command.js';
import { type CommandIo, print } from '../../commands/io.js';

/**
 * Writes a gzip file that only its owner may read, and resolves with its size in bytes. The file is written under
 * another name and then renamed, so `path` is never incomplete, and of two writers the last one wins. Throws
 * `UsageError` if `path` exists or cannot be written.
 */
export async function writeGzipFile(path: string, content: AsyncGenerator<Buffer>): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists; give another name.`);
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, gzip(content), { flag: 'wx', mode: 0o600, flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new UsageError(`Cannot write ${path}: ${code}.`) : error;
  }
  return (await stat(path)).size;
}

/**
 * Writes gzip to stdout, and resolves with its size in bytes when all of it is written. Throws `UsageError` if stdout
 * is a terminal, or a file that cannot take all. The exit code is 1 until then, because half a backup is useless. So if
 * a reader closes the pipe early, this command fails.
 */
export async function writeGzipOut(io: CommandIo, content: AsyncGenerator<Buffer>): Promise<number> {
  if (io.stdout.isTTY) {
    throw new UsageError('The backup would go to the terminal; redirect it: backup - > orderbeacon.gz');
  }
  const { exitCode } = io;
  io.exitCode = 1;
  const { fd } = io.stdout as { fd?: number };
  let bytes = 0;
  try {
    for await (const piece of gzip(content)) {
      // Node's own stream would ignore that a file took only a part of a write, as on a full disk.
      if (fd !== undefined && fstatSync(fd).isFile()) writeFileSync(fd, piece);
      else await print(io, piece);
      bytes += piece.length;
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new UsageError(`Cannot write the output: ${code}. Remove it: it is no backup.`) : error;
  }
  io.exitCode = exitCode;
  return bytes;
}

async function* gzip(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    // The loop over the pipe throws its errors, so the callback has nothing to do.
    yield* pipeline(content, createGzip(), () => {}) as AsyncIterable<Buffer>;
  } finally {
    // After an error, the generator drains its COPY before it returns. Without waiting, the connection could not roll
    // back.
    await content.return(undefined).catch(() => {});
  }
}
