import { createWriteStream, existsSync, fstatSync, type WriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from '../command.js';
import { type CommandIo, type OutputError, print } from '../io.js';

type Sink = WriteStream | ((pieces: AsyncIterable<Buffer>) => Promise<void>);

/**
 * Writes a gzip file that only its owner may read, and resolves with its size in bytes. The file is written to disk as
 * `path.partial` and then renamed, so `path` is never half written. Throws `UsageError` when `path` exists or cannot be
 * written.
 */
export async function writeGzipFile(path: string, content: AsyncGenerator<Buffer>): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists; give another name.`);
  const partial = `${path}.partial`;
  let isOurs = async () => false;
  try {
    // A backup that was killed has left one.
    await rm(partial, { force: true });
    const file = await open(partial, 'wx', 0o600);
    const { ino } = await file.stat();
    isOurs = async () => (await stat(partial).catch(() => null))?.ino === ino;
    const bytes = await writeGzip(content, file.createWriteStream({ flush: true }));
    // Another backup of that name has begun meanwhile, and its file is not complete.
    if (!(await isOurs())) throw new UsageError(`Another backup writes ${path}; give another name.`);
    await rename(partial, path);
    return bytes;
  } catch (error) {
    if (await isOurs()) await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new UsageError(`Cannot write ${path}: ${code}.`) : error;
  }
}

/**
 * Writes gzip to stdout, and resolves with its size in bytes when all of it is written. Throws `UsageError` when stdout
 * is a terminal, or a file that cannot take all. The exit code is 1 until then: half a backup is none, so a reader that
 * closes the pipe early makes this command fail, and no other.
 */
export async function writeGzipOut(io: CommandIo, content: AsyncGenerator<Buffer>): Promise<number> {
  if (io.stdout.isTTY) {
    throw new UsageError('The backup would go to the terminal; redirect it: backup - > orderbeacon.gz');
  }
  const { exitCode } = io;
  io.exitCode = 1;
  let fault: unknown;
  const printPiece = (piece: Buffer) =>
    print(io, piece).catch((error: OutputError) => {
      fault = error;
      throw error;
    });
  try {
    const bytes = await writeGzip(content, openOutput(io, printPiece));
    io.exitCode = exitCode;
    return bytes;
  } catch (error) {
    // Before Node 24 a pipeline rejects with an AbortError in its place.
    if (fault) throw fault;
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new UsageError(`Cannot write the output: ${code}. Remove it: it is no backup.`) : error;
  }
}

/** Opens stdout. Node's own stream would ignore that a file took only a part of a write, as on a full disk. */
function openOutput({ stdout }: CommandIo, printPiece: (piece: Buffer) => Promise<void>): Sink {
  const { fd } = stdout as { fd?: number };
  if (fd !== undefined && fstatSync(fd).isFile()) return createWriteStream('', { fd, autoClose: false });
  return async (pieces) => {
    for await (const piece of pieces) await printPiece(piece);
  };
}

async function writeGzip(content: AsyncGenerator<Buffer>, sink: Sink): Promise<number> {
  let bytes = 0;
  async function* counted(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  }
  try {
    await pipeline(Readable.from(content), createGzip(), counted, sink);
    return bytes;
  } finally {
    // After an error the generator drains its COPY before it returns; without the wait the connection could not roll back.
    await content.return(undefined).catch(() => {});
  }
}
