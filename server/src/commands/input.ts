import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './command.js';

/** Reads a whole file as text, or stdin for `-`. Throws `UsageError` when there is none. */
export async function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Opens a file as a stream, or stdin for `-`. Throws `UsageError` when there is none. */
export async function openInput(path: string): Promise<NodeJS.ReadableStream> {
  if (path === '-') return process.stdin;
  await access(path).catch((error) => {
    throw unreadable(path, error);
  });
  return createReadStream(path);
}

function unreadable(path: string, error: unknown): UsageError {
  return new UsageError(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? error}.`);
}
