import type { Command } from 'commander';
import { retryConflicts } from '../database/batch/retryConflicts.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { findDemoTeam, lockDemo, markDemoRemoved } from '../teams/sql/demoTeam.js';
import { closeTeam, countTeamContent, removeTeamRows, type TeamContent } from '../teams/sql/removeTeam.js';
import type { Uuid } from '../values/ids.js';
import { teamSubcommand, UsageError, withTeam } from './command.js';
import type { CommandIo } from './io.js';

/** `orderbeacon team remove` */
export function addTeamRemove(team: Command, io: CommandIo): void {
  teamSubcommand(
    team,
    'remove',
    'Removes a team for good, with its keys, domains, products, people, sequences, orders, webhooks and refused reports. A team with live orders stays, unless you add --delete-live-orders. A demo team that was removed is not made again.',
    'team remove --team team_…',
  )
    .option('--delete-live-orders', 'remove the team even when it has live orders')
    .action(
      withTeam<{ deleteLiveOrders?: boolean }>(io, async ({ sql, team: { id, name } }, options) => {
        const removed = await removeTeam(sql, id, options.deleteLiveOrders ?? false);
        return {
          json: { id: options.team, name, removed },
          text: `Removed ${options.team} ("${name}") with ${describe(removed)}.`,
        };
      }),
    );
}

/** Resolves with what the team had. Throws `UsageError` when it has live orders that may not go. */
async function removeTeam(sql: Sql, teamId: Uuid, deletesLiveOrders: boolean): Promise<TeamContent> {
  const now = new Date();
  // Closed first, so that reports are refused immediately instead of waiting until the rest is removed.
  const content = await inTransaction(sql, async (tx) => {
    await lockDemo(tx);
    const content = await countTeamContent(tx, teamId);
    if (content.liveOrders > 0 && !deletesLiveOrders) {
      throw new UsageError(
        `Nothing was removed: this team has ${describe(content)}. To remove all of it for good, make a backup and add --delete-live-orders.`,
      );
    }
    if ((await findDemoTeam(tx))?.id === teamId) await markDemoRemoved(tx, now);
    await closeTeam(tx, teamId, now);
    return content;
  });
  // A report that was being stored while the team was closed is in conflict with the removal of the team.
  await retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      const { liveOrders } = await countTeamContent(tx, teamId);
      if (liveOrders > content.liveOrders && !deletesLiveOrders) {
        throw new UsageError(
          'A live order came in just now. The team has no domains and no live keys any more; everything else is still there. Add --delete-live-orders to remove it.',
        );
      }
      await removeTeamRows(tx, teamId);
    }),
  );
  return content;
}

const nouns = {
  liveOrders: ['live order', 'live orders'],
  testOrders: ['test order', 'test orders'],
  people: ['person', 'people'],
  sequences: ['sequence', 'sequences'],
  products: ['product', 'products'],
  keys: ['key', 'keys'],
  sources: ['source', 'sources'],
  domains: ['domain', 'domains'],
  refusedReports: ['refused report', 'refused reports'],
} as const satisfies Record<keyof TeamContent, [one: string, more: string]>;

function describe(content: TeamContent): string {
  const parts = Object.entries(nouns).flatMap(([kind, [one, more]]) => {
    const count = content[kind as keyof TeamContent];
    return count === 0 ? [] : `${count} ${count === 1 ? one : more}`;
  });
  return parts.join(', ') || 'nothing in it';
}
