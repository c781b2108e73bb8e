import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import { hourMs } from '../values/timeUnits.js';
import { noteKeyUse } from './sql/apiKey.js';
import { noteSdkVersion } from './sql/sdkVersions.js';

/** Records when each key and SDK version was last used, in the background; errors are ignored. The setup page shows it. */
export interface LastSeen {
  /** Records a request with a live key. */
  key(keyHash: string): void;
  /** Records an order of a page with this version of the SDK. */
  sdk(teamId: Uuid, version: string): void;
}

/** Time between two writes for the same key or version. */
const everyMs = hourMs;
/** Keys and versions whose last write is remembered; some 150 bytes each. */
const remembered = 10_000;

/**
 * Writes each key and version once an hour. Between writes an order costs one map look-up.
 * @param released every version of the SDK that was released. Others may be made up, and are written apart
 */
export function createLastSeen(sql: Sql, clock: Clock, released: ReadonlySet<string>): LastSeen {
  const note = createNote(clock);
  const noteMadeUp = createNote(clock);

  return {
    key: (keyHash) => note(keyHash, (at) => noteKeyUse(sql, keyHash, at)),
    sdk(teamId, version) {
      const write = (at: Date) => noteSdkVersion(sql, teamId, { version, at, released });
      (released.has(version) ? note : noteMadeUp)(`${teamId} ${version}`, write);
    },
  };
}

/** Makes a function with one write at a time. Uses that come meanwhile are left to the next time. */
function createNote(clock: Clock) {
  const writtenMs = createBoundedMap<number>(remembered);
  let isWriting = false;

  return function note(what: string, write: (at: Date) => Promise<void>): void {
    const nowMs = performance.now();
    if (isWriting || nowMs - (writtenMs.get(what) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    isWriting = true;
    write(new Date(clock.nowMs()))
      .then(
        () => writtenMs.set(what, nowMs),
        () => {},
      )
      .finally(() => {
        isWriting = false;
      });
  };
}
