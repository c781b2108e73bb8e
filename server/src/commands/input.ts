import { createReadStream } from 'node:fs';
import { UsageError } from './command.js';
import type { CommandIo } from './io.js';

/** Yields the bytes of a file, or of stdin for `-`. @throws UsageError if the file cannot be read */
export async function* readBytes(io: Pick<CommandIo, 'stdin'>, path: string): AsyncGenerator<Buffer> {
  try {
    yield* path === '-' ? io.stdin : createReadStream(path);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall) throw new UsageError(`Cannot read ${nameOf(path)}: ${code}.`);
    throw error;
  }
}

/** Returns the name of a file for messages. */
export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/**
 * Reads the text of a file, or of stdin for `-`.
 * @throws UsageError if the file cannot be read, is longer than a text can be, or is not UTF-8: names in another encoding would
 * be stored garbled
 */
export async function readWholeInput(io: Pick<CommandIo, 'stdin'>, path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const chunk of readBytes(io, path)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    // V8's longest text has 2^29 - 24 characters.
    if (error instanceof RangeError) throw new UsageError(`${nameOf(path)} is longer than 500 MB: split it.`);
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new UsageError(`${nameOf(path)} is not UTF-8 text. Save it as UTF-8 (in Excel: "CSV UTF-8").`);
  }
}
