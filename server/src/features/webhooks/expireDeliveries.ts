import { type AskAllTeams, askTogether } from '../../database/askAllTeams.js';
import type { Sql } from '../../database/connection/connect.js';
import { doAll } from '../../values/doAll.js';
import { firstUuid } from '../../values/ids.js';
import { repeat } from '../../values/repeat.js';
import { dayMs, hourMs } from '../../values/time.js';
import { deleteHook, listRemovedHooks } from './sql/hook.js';
import { giveUpDeliveries, listOldHooks, removeDeliveries } from './sql/oldDelivery.js';

export const keptMs = 30 * dayMs;

/**
 * Removes old deliveries of all teams, in pieces. Times are those of the database's clock.
 *
 * A delivery is removed after 30 days. One that could not be attempted for three days is given up. The row of a removed
 * hook is deleted an hour after its removal, with its deliveries.
 */
export async function expireDeliveries(sql: Sql, askAllTeams: AskAllTeams = askTogether): Promise<void> {
  const [{ now }] = await sql<[{ now: Date }]>`/* readNow */ select now()`;
  const oldest = firstUuid(now.getTime() - keptMs);
  const old = await askAllTeams((ofTeams) => listOldHooks(sql, oldest, ofTeams));
  await doAll(old.rows, async (hook) => {
    while ((await removeDeliveries(sql, hook, oldest)) > 0);
    while ((await giveUpDeliveries(sql, hook)) > 0);
  });
  const removed = await askAllTeams((ofTeams) => listRemovedHooks(sql, ofTeams));
  await doAll(removed.rows, async (hook) => {
    while ((await removeDeliveries(sql, hook)) > 0);
    await deleteHook(sql, hook.teamId, hook.id);
  });
}

/**
 * Starts to remove and give up old deliveries every hour. The first time is an hour after the start, because a
 * machine's clock may be wrong until then.
 * @returns a function that stops this
 */
export function startDeliveryExpiry(
  sql: Sql,
  askAllTeams: AskAllTeams,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  return repeat(hourMs, () => expireDeliveries(sql, askAllTeams), { onFault });
}
