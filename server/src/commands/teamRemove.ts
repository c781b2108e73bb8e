import type { Command } from 'commander';
import { type Listeners, notifyListeners } from '../core/listener.js';
import { lockPeople } from '../core/people/sql/person.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import { type ExtrasOf, teamSubcommand, UsageError, withTeam } from './command.js';
import type { CommandIo } from './io.js';
import { closeTeam, countTeamContent, lockTeam, removeTeamRows, type TeamContent } from './sql/removeTeam.js';

/** `orderbeacon team remove` */
export function addTeamRemove(team: Command, io: CommandIo, extrasOf: ExtrasOf): void {
  teamSubcommand(
    team,
    'remove',
    'Removes a team for good, with its keys, domains, products, people, sequences, orders, webhooks and refused reports. A team with live orders stays, unless you add --delete-live-orders. A demo team that was removed is not made again.',
    'team remove --team team_…',
  )
    .option('--delete-live-orders', 'remove the team even when it has live orders')
    .action(
      withTeam<{ deleteLiveOrders?: boolean }>(io, async ({ sql, team: { id, name } }, options) => {
        const removed = await removeTeam(sql, id, options.deleteLiveOrders ?? false, extrasOf(sql).listeners);
        return {
          json: { id: options.team, name, removed },
          text: `Removed ${options.team} ("${name}") with all its data; ${describe(removed)}.`,
        };
      }),
    );
}

/** Removes a team. Resolves with the numbers of its rows. @throws UsageError if it has live orders that may not be removed */
async function removeTeam(
  sql: Sql,
  teamId: Uuid,
  deletesLiveOrders: boolean,
  listeners: Listeners,
): Promise<TeamContent> {
  const now = new Date();
  const content = await countTeamContent(sql, teamId);
  if (content.liveOrders > 0 && !deletesLiveOrders) {
    throw new UsageError(
      `Nothing was removed: this team has live orders (${describe(content)}). To remove all of it for good, make a backup and add --delete-live-orders.`,
    );
  }
  // The team is closed first: only a missing key or domain keeps an order from being stored, because orders have no foreign key to team.
  await inTransaction(sql, (tx) => closeTeam(tx, teamId, now));
  // A report that was being stored while the team was closed conflicts with the removal of the team.
  await retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      await notifyListeners(listeners, 'onTeamRemoved', tx, teamId, now);
      await lockTeam(tx, teamId);
      // A report that was authorized before the closing holds a known buyer until its order is stored.
      await lockPeople(tx, teamId);
      // A live order may have been stored between the count and the closing.
      if (!deletesLiveOrders && (await countTeamContent(tx, teamId)).liveOrders > 0)
        throw new UsageError(
          'A live order was stored meanwhile, so the team stays. Its keys and domains are gone. To remove all of it for good, add --delete-live-orders.',
        );
      await removeTeamRows(tx, teamId);
    }),
  );
  return content;
}

function describe({ liveOrders, testOrders, people }: TeamContent): string {
  return `live orders: ${liveOrders}, test orders: ${testOrders}, people: ${people}`;
}
