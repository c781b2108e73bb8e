import { setTimeout as delay } from 'node:timers/promises';
import { recordFound } from '../../../core/orders/store/sql/foundOrder.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { repeat } from '../../../values/repeat.js';
import { createSemaphore } from '../../../values/semaphore.js';
import { minuteMs } from '../../../values/time.js';
import { withTimeout } from '../../../values/withTimeout.js';
import type { AwayTime } from '../receive/awayTime.js';
import { claimSync, listDueSources, recordSync } from '../sql/source.js';
import { type SyncDeps, syncSource } from './syncSource.js';

/** Shops that are asked concurrently, of all teams and of one. Nearly all of the time passes in waiting for them. */
export const shops = 16;
const shopsOfTeam = 1;
/** A sync that is cut goes on where it was. */
const stopMs = 1_000;

/** Dependencies of asking shops in the background. */
export interface SyncingDeps extends Omit<SyncDeps, 'signal' | 'pause' | 'recordFound'> {
  sql: Sql;
  away: AwayTime;
  noteFault: (error: unknown) => void;
}

/**
 * Asks shops for what no webhook brought: each once a day, hourly while it is silent, soon after events may have been lost,
 * and when somebody asks for it. Looks each minute for those that are due. A team whose shop is slow holds up no other one.
 * Returns a function that stops this.
 */
export function startSyncing({ sql, away, noteFault, ...deps }: SyncingDeps): () => Promise<void> {
  const semaphore = createSemaphore({ concurrent: shops, concurrentPerKey: shopsOfTeam, waiting: 0 });
  const recordFoundHere = (teamId: Uuid, id: Uuid) => recordFound(sql, teamId, [id]);
  const running = new Set<Promise<void>>();
  const onFault = (error: unknown) => {
    away.record();
    noteFault(error);
  };
  const stopStarting = repeat(minuteMs, startDue, { onFault, firstMs: 0 });
  return async function stop() {
    await Promise.all([stopStarting(), withTimeout(stopMs, Promise.all(running))]);
  };

  async function startDue(signal: AbortSignal): Promise<void> {
    const pause = async (ms: number) =>
      void (await delay(ms, undefined, { ref: false, signal }).catch(() => {}));
    const awayUntil = away.until();
    for (const { teamId, id } of await listDueSources(sql, awayUntil)) {
      const release = semaphore.tryAcquire(teamId);
      if (release === null) continue;
      const sync = claimSync(sql, teamId, id, awayUntil)
        .then(async (source) => {
          if (!source) return;
          const result = await syncSource(source, source.syncedUntil, {
            ...deps,
            recordFound: recordFoundHere,
            pause,
            signal,
          });
          if (!signal.aborted) await recordSync(sql, source, result);
        })
        .catch(noteFault)
        .finally(() => {
          release();
          running.delete(sync);
        });
      running.add(sync);
    }
  }
}
