import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from './command.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes a gzip file that only its owner may read, and resolves with its size in bytes. The file is written
 * under a temporary name beside `path`, flushed to disk and then renamed, so `path` is never half written.
 * A signal that ends the process removes the temporary file. Throws `UsageError` when `path` exists or cannot be written.
 */
export async function writeNewGzip(path: string, content: AsyncGenerator<Buffer>): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists; give another name.`);
  const partial = `${path}.partial-${randomBytes(4).toString('hex')}`;
  const end = (signal: NodeJS.Signals) => {
    rmSync(partial, { force: true });
    process.kill(process.pid, signal);
  };
  for (const each of signals) process.once(each, end);
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(content), createGzip(), file);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return file.bytesWritten;
  } catch (error) {
    // The generator drains its COPY before it returns; without the wait the connection could not roll back.
    await content.return(undefined).catch(() => {});
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new UsageError(`Cannot write ${path}: ${code}.`) : error;
  } finally {
    for (const each of signals) process.off(each, end);
  }
}

/** Flushes a folder, so that a new name in it survives a power cut. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}
