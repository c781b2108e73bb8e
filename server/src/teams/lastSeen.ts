import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
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
const everyMs = 60 * 60_000;
/** Keys and versions whose last write is remembered; some 150 bytes each. */
const remembered = 10_000;

/**
 * Writes each key and version once an hour. Between writes an order costs one map look-up. One write runs at a time, and
 * uses that come meanwhile are left to the next time, so that made-up versions cost one connection at most.
 */
export function createLastSeen(sql: Sql, clock: Clock): LastSeen {
  const writtenMs = createBoundedMap<number>(remembered);
  let isWriting = false;

  function note(what: string, write: (at: Date) => Promise<void>): void {
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
  }

  return {
    key: (keyHash) => note(keyHash, (at) => noteKeyUse(sql, keyHash, at)),
    sdk: (teamId, version) => note(`${teamId} ${version}`, (at) => noteSdkVersion(sql, teamId, version, at)),
  };
}
