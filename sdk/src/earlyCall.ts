import type { FinalResult } from './result';

/**
 * A call of `track()` from before the script loaded, as the stub queues it. `key` is its storage key. `done` resolves
 * the `final` of the promise that the stub returned. A call that was read from the storage has no `done`.
 */
export type EarlyCall = [command: string, value: unknown, key: string, done?: (result: FinalResult) => void];
