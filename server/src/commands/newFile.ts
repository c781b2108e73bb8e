import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from './command.js';

/**
 * Writes a gzip file that only its owner may read. It appears under its name whole and on the disk, or not at
 * all; until then it lies beside. Resolves with its size in bytes. Throws `UsageError` when there is one of
 * that name, or none can be made.
 */
export async function writeNewGzip(path: string, content: AsyncGenerator<Buffer>): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists; give a name that is free.`);
  const partial = `${path}.partial-${randomBytes(4).toString('hex')}`;
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(content), createGzip(), file);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return file.bytesWritten;
  } catch (error) {
    // What the content is made of may take its time to let go.
    await content.return(undefined).catch(() => {});
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new UsageError(`Cannot write ${path}: ${code}.`) : error;
  }
}

/** Makes a new name last through a power cut. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}
