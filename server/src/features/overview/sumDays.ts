import { listTeams } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { repeat } from '../../values/repeat.js';
import { hourMs, minuteMs } from '../../values/time.js';
import { addEmptyDays, beginsDay, listDaysToSum, sumDay } from './sql/daySums.js';

/**
 * Sums a team's ended days that are not summed, newest first. Several servers may do this concurrently. Resolves with
 * the number of days.
 * @param options.again number of days back from today that are summed even if they are summed already
 */
export async function sumDays(sql: Sql, teamId: Uuid, options: { again?: number } = {}): Promise<number> {
  const days = await listDaysToSum(sql, teamId, options);
  const empty = days.filter(({ isEmpty }) => isEmpty).map(({ day }) => day);
  if (empty.length > 0) await addEmptyDays(sql, teamId, empty);
  for (const { day, isEmpty } of days) if (!isEmpty) await sumDay(sql, teamId, day);
  return days.length;
}

/** Runs a round of a team: sums the days that are not summed. The first round of a day also sums the last 40 days again. */
export async function sumRound(sql: Sql, teamId: Uuid): Promise<void> {
  await sumDays(sql, teamId, { again: (await beginsDay(sql, teamId)) ? daysOfNight : 0 });
}

/** Pause before the first round after a start. At the start itself, other work may need all connections, if they are few. */
const firstMs = minuteMs;
/**
 * Days that the first round of a day sums again, on whichever server it runs. This corrects changes without a mark,
 * such as those by hand, or while a server died.
 */
const daysOfNight = 40;

/**
 * Starts to sum the ended days of all teams each hour. A failed day is tried again an hour later. Returns a function
 * that stops this.
 */
export function startSummingDays(sql: Sql, onFault: (error: unknown) => void): () => Promise<void> {
  return repeat(hourMs, sumAll, { onFault, firstMs });

  async function sumAll(signal: AbortSignal): Promise<void> {
    for (const { id } of await listTeams(sql)) {
      if (signal.aborted) return;
      await sumRound(sql, id).catch(onFault);
    }
  }
}
