import type { Clock } from '../../database/clock.js';
import type { Sql } from '../../database/connection/connect.js';
import { createBoundedMap } from '../../values/boundedMap.js';
import { hourMs } from '../../values/time.js';
import { updateLastUse } from './sql/apiKey.js';

/** Records in the background when a key was last used, for the setup page. Errors are ignored. */
export type RecordKeyUse = (keyHash: string) => void;

/** Time between two writes for the same key. */
const everyMs = hourMs;
/** Keys whose last write is remembered; some 150 bytes each. */
const remembered = 10_000;

/**
 * Creates the function that records the use of keys. Each key is written at most once an hour. Between writes a request costs one
 * map look-up. Only one write runs at a time; concurrent uses are recorded by a later one.
 */
export function createRecordKeyUse(sql: Sql, clock: Clock): RecordKeyUse {
  const writtenMs = createBoundedMap<number>(remembered);
  let isWriting = false;

  return function recordKeyUse(keyHash) {
    const nowMs = performance.now();
    if (isWriting || nowMs - (writtenMs.get(keyHash) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    isWriting = true;
    updateLastUse(sql, keyHash, new Date(clock.nowMs()))
      .then(
        () => writtenMs.set(keyHash, nowMs),
        () => {},
      )
      .finally(() => {
        isWriting = false;
      });
  };
}
