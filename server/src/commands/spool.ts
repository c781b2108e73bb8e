import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './command.js';

/** A list that may be longer than the memory allows. */
export interface Spool<Item> {
  add(item: Item): Promise<void>;
  /** Yields the items in their order; may be called again. */
  read(): AsyncGenerator<Item>;
  close(): Promise<void>;
}

/** Characters in memory before the file is written. */
const pieceCharacters = 65_536;

/**
 * Makes a list that is kept in a temporary file, as JSON. The file has no name from the start, so that it is gone with the
 * process, however that ends. A short list needs no file.
 */
export function createSpool<Item>(): Spool<Item> {
  let file: FileHandle | undefined;
  let piece = '';

  return {
    async add(item) {
      piece += `${JSON.stringify(item)}\n`;
      if (piece.length < pieceCharacters) return;
      try {
        file ??= await openNameless();
        await file.writeFile(piece);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new UsageError(
          `Cannot write a temporary file into ${tmpdir()}: ${code}. Name another folder in TMPDIR.`,
        );
      }
      piece = '';
    },
    async *read() {
      if (file)
        for await (const line of file.readLines({ start: 0, autoClose: false, encoding: 'utf8' }))
          yield JSON.parse(line) as Item;
      for (const line of piece.split('\n')) if (line !== '') yield JSON.parse(line) as Item;
    },
    close: async () => file?.close(),
  };
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `orderbeacon-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
