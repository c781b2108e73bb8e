import { createReadStream } from 'node:fs';
import { UsageError } from './command.js';
import type { CommandIo } from './io.js';

/**
 * Yields the text of a file, or of stdin for `-`, in pieces. Throws `UsageError` when the file cannot be read or
 * is not UTF-8, because names in another encoding would be stored garbled.
 */
export async function* readInput(io: Pick<CommandIo, 'stdin'>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const bytes: AsyncIterable<Buffer> = path === '-' ? io.stdin : createReadStream(path);
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const name = path === '-' ? 'stdin' : path;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new UsageError(`${name} is not UTF-8 text. Save it as UTF-8 (in Excel: "CSV UTF-8").`);
    }
    if (syscall) throw new UsageError(`Cannot read ${name}: ${code}.`);
    throw error;
  }
}

/** Reads a whole file, or stdin for `-`; see `readInput`. */
export async function readWholeInput(io: CommandIo, path: string): Promise<string> {
  let text = '';
  for await (const piece of readInput(io, path)) text += piece;
  return text;
}
