import type { StoppedOrders } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connection/connect.js';
import { updateWatch } from '../hooks/sql/hookWatch.js';
import type { WatchedTeam, WatchRule } from '../hooks/startWatching.js';
import { findTeam } from '../teams/sql/team.js';
import { tellTime } from '../values/tellTime.js';
import type { ReadSilence } from './readSilence.js';
import { findNextOrderAt } from './sql/orderHours.js';
import { type ToldSilence, tellEnd, tellSilence } from './tellSilence.js';

/** Makes the rule of `orders.stopped`: tells each silence once, and once that it has ended with a live order. */
export function createWatchOrders(readSilence: ReadSilence): WatchRule {
  return async function watchOrders(tx, team) {
    const { lastOrderAt, usualOrders } = await readSilence(tx, team);
    if (lastOrderAt === null) return [];
    if (team.stoppedSince === null)
      return usualOrders === null ? [] : [await stop(tx, team, { lastOrderAt, usualOrders })];
    if (lastOrderAt <= team.stoppedSince) return [];
    return [await end(tx, team, { lastOrderAt: team.stoppedSince, latestAt: lastOrderAt })];
  };
}

async function stop(tx: Sql, { teamId, now }: WatchedTeam, silence: ToldSilence): Promise<StoppedOrders> {
  await updateWatch(tx, teamId, silence.lastOrderAt);
  return {
    teamName: await nameOf(tx, teamId),
    lastOrderAt: silence.lastOrderAt.toISOString(),
    usualOrders: silence.usualOrders,
    endedAt: null,
    message: tellSilence(silence, (time) => tellTime(time, now)),
  };
}

async function end(
  tx: Sql,
  { teamId, now }: WatchedTeam,
  { lastOrderAt, latestAt }: { lastOrderAt: Date; latestAt: Date },
): Promise<StoppedOrders> {
  await updateWatch(tx, teamId, null);
  const endedAt = (await findNextOrderAt(tx, teamId, lastOrderAt)) ?? latestAt;
  return {
    teamName: await nameOf(tx, teamId),
    lastOrderAt: lastOrderAt.toISOString(),
    usualOrders: null,
    endedAt: endedAt.toISOString(),
    message: tellEnd({ lastOrderAt, endedAt }, (time) => tellTime(time, now)),
  };
}

async function nameOf(tx: Sql, teamId: WatchedTeam['teamId']): Promise<string> {
  return (await findTeam(tx, teamId))!.name;
}
