import { readJson } from './json';
import type { FinalResult } from './result';
import type { TextStorage } from './storage';

/**
 * A call of `track()` that was made before the script was there, as the stub queues it. `key` is where it also lies
 * in the storage; `done` resolves the `final` of the promise that the stub gave. The stub of version 0.1.0 has
 * neither.
 */
export type EarlyCall = [command: string, value: unknown, key?: string, done?: (result: FinalResult) => void];

/**
 * The calls that stubs of this page and earlier ones have written to the storage, the oldest first.
 * @param name the stub's global name: two tags of one site may each have their own
 */
export function storedCalls(storage: TextStorage, name: string): EarlyCall[] {
  return storage.keys().flatMap((key): EarlyCall[] => {
    const { global, command, value } = readJson(storage.read(key));
    return global === name ? [[command, value, key]] : [];
  });
}
