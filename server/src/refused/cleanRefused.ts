import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import { minuteMs } from '../values/timeUnits.js';
import { listExpiredCounts, removeExpiredCounts } from './sql/refusalCount.js';
import { listRefusedTeams, removeExpired, removeSettled } from './sql/removeRefused.js';

/** Removes kept reports that are older than 30 days, and counts older than 90. */
export async function expireRefused(sql: Sql): Promise<void> {
  for (const { teamId } of await listRefusedTeams(sql)) await removeExpired(sql, teamId);
  for (const { teamId } of await listExpiredCounts(sql)) await removeExpiredCounts(sql, teamId);
}

const minutesOfHour = 60;

/** The background work that removes kept reports. */
export interface CleaningRefused {
  /** Records that a report of a team was stored: kept reports of the team may be settled by it. */
  onStored: (teamId: Uuid) => void;
  /** One round of the work. */
  clean: () => Promise<void>;
  /** Starts a round each minute. Returns a function that stops this. */
  start: () => () => void;
}

/**
 * Removes kept reports whose orders are stored by now, of the teams that this server stores orders of, each minute. The first
 * time, and then every hour, it looks at all teams, because a command may have stored orders, and removes what was discarded
 * more than a day ago. Otherwise a team whose reports are no longer refused would keep its buyers' emails for ever. Expiry
 * begins an hour after the start, because a machine's clock may be wrong until then. After a failure the same teams are due
 * again a minute later.
 */
export function createCleaningRefused(sql: Sql): CleaningRefused {
  const stored = new Set<Uuid>();
  let minutes = 0;
  let isBusy = false;

  async function clean(): Promise<void> {
    const isHourly = minutes++ % minutesOfHour === 0;
    if (isHourly) for (const { teamId } of await listRefusedTeams(sql)) stored.add(teamId);
    for (const teamId of [...stored]) {
      stored.delete(teamId);
      try {
        await removeSettled(sql, teamId);
      } catch (error) {
        stored.add(teamId);
        throw error;
      }
    }
    if (isHourly && minutes > minutesOfHour) await expireRefused(sql);
  }
  async function cleanUnlessBusy(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    await clean().catch(() => {});
    isBusy = false;
  }

  return {
    onStored: (teamId) => stored.add(teamId),
    clean,
    start() {
      const timer = setInterval(() => void cleanUnlessBusy(), minuteMs).unref();
      return () => clearInterval(timer);
    },
  };
}
