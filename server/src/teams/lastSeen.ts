import type { Sql } from '../database/connection/connect.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import { noteKeyUse } from './sql/apiKey.js';
import { noteSdkVersion } from './sql/sdkVersions.js';

/** Told of what was accepted, for the console's page “Setup”. Neither waits nor fails. */
export interface LastSeen {
  /** A request with this key. */
  key(keyHash: string): void;
  /** An order of a page with this version of the SDK. */
  sdk(teamId: Uuid, version: string): void;
}

/** From one writing of the same to the next. */
const everyMs = 60 * 60_000;
/** Some 150 bytes each. */
const remembered = 10_000;

/**
 * Writes what was seen, each key and version once an hour: in between an order costs a look into a map. One is written
 * at a time, and what comes meanwhile is left to its next time, so that made-up versions cost one connection at most.
 */
export function createLastSeen(sql: Sql): LastSeen {
  const writtenMs = createBoundedMap<number>(remembered);
  let isWriting = false;

  function note(what: string, write: (at: Date) => Promise<void>): void {
    const nowMs = performance.now();
    if (isWriting || nowMs - (writtenMs.get(what) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    isWriting = true;
    write(new Date())
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
