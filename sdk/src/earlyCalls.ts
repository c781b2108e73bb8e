import { readJson } from './json';
import type { FinalResult } from './result';
import type { TextStorage } from './storage';

/**
 * A call of `track()` from before the script loaded, as the stub queues it. `key` is its storage key. `done` resolves
 * `final` of the promise that the stub returned. A call that was read from the storage has none.
 */
export type EarlyCall = [command: string, value: unknown, key: string, done?: (result: FinalResult) => void];

/**
 * Reads the calls that the stubs of this page and of earlier pages have stored, oldest first.
 * @param keys the storage's keys
 * @param name the stub's global name, because two tags of one site may have a name each
 */
export const storedCalls = (storage: TextStorage, keys: string[], name: string): EarlyCall[] =>
  keys.flatMap((key): EarlyCall[] => {
    const { global, command, value } = readJson(storage._read(key));
    return global === name ? [[command, value, key]] : [];
  });
