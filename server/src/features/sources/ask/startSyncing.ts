import { setTimeout as delay } from 'node:timers/promises';
import { recordFound } from '../../../core/orders/store/sql/foundOrder.js';
import { type AskAllTeams, askTogether } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { repeat } from '../../../values/repeat.js';
import { createSemaphore } from '../../../values/semaphore.js';
import { minuteMs } from '../../../values/time.js';
import { withTimeout } from '../../../values/withTimeout.js';
import type { AwayTime } from '../receive/awayTime.js';
import { claimSync, listDueSources, recordSync } from '../sql/source.js';
import { type SyncDeps, syncSource } from './syncSource.js';

/**
 * Shops that are asked concurrently: of all teams, and of one team. Nearly all of the time is waiting for their
 * answers.
 */
export const shops = 16;
const shopsOfTeam = 1;
/** Time to wait for running syncs at a stop. A sync that is cut continues later. */
const stopMs = 1_000;

/** Dependencies of `startSyncing`. */
export interface SyncingDeps extends Omit<SyncDeps, 'signal' | 'pause' | 'recordFound'> {
  sql: Sql;
  askAllTeams?: AskAllTeams;
  away: AwayTime;
  noteFault: (error: unknown) => void;
}

/**
 * Starts to ask shops for orders that no webhook sent. Looks each minute for the shops that are due.
 *
 * A shop is due once a day, hourly while it sends no events, soon after events may have been lost, and on a person's
 * request. A slow shop delays only its own team.
 * @returns a function that stops this
 */
export function startSyncing({
  sql,
  askAllTeams = askTogether,
  away,
  noteFault,
  ...deps
}: SyncingDeps): () => Promise<void> {
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
    const { rows } = await askAllTeams((ofTeams) => listDueSources(sql, awayUntil, ofTeams));
    for (const { teamId, id } of rows) {
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
