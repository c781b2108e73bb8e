import { listTeams } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { repeat } from '../../values/repeat.js';
import { hourMs, minuteMs } from '../../values/time.js';
import { addEmptyDays, beginsDay, listDaysToSum, sumDay } from './sql/daySums.js';

/**
 * Sums a team's closed days that are not summed, the newest first. Several servers may do this concurrently. Resolves with the
 * number of days.
 * @param options.again days that are summed although they are summed already, counted back from today
 */
export async function sumDays(sql: Sql, teamId: Uuid, options: { again?: number } = {}): Promise<number> {
  const days = await listDaysToSum(sql, teamId, options);
  const empty = days.filter(({ isEmpty }) => isEmpty).map(({ day }) => day);
  if (empty.length > 0) await addEmptyDays(sql, teamId, empty);
  for (const { day, isEmpty } of days) if (!isEmpty) await sumDay(sql, teamId, day);
  return days.length;
}

/** Does a round of a team: sums the days that are not summed, and the last ones again in the first round of a day. */
export async function sumRound(sql: Sql, teamId: Uuid): Promise<void> {
  await sumDays(sql, teamId, { again: (await beginsDay(sql, teamId)) ? daysOfNight : 0 });
}

/** Not at the start: where connections are few, none is taken that the start needs. */
const firstMs = minuteMs;
/**
 * With the first round of a day of the shop, whichever server does it, the last days are summed again, so that what changed
 * without a mark, such as by hand, or while a server ended, is right by then.
 */
const daysOfNight = 40;

/** Sums the closed days of all teams each hour. Returns a function that stops this. A failed day is tried an hour later. */
export function startSummingDays(sql: Sql, onFault: (error: unknown) => void): () => Promise<void> {
  return repeat(hourMs, sumAll, { onFault, firstMs });

  async function sumAll(signal: AbortSignal): Promise<void> {
    for (const { id } of await listTeams(sql)) {
      if (signal.aborted) return;
      await sumRound(sql, id).catch(onFault);
    }
  }
}
