import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { countLiveOrders } from '../orders/sql/countLiveOrders.js';
import { lockDemo } from '../site/demoTeam.js';
import { findDemoTeam, markDemoRemoved } from '../teams/sql/demoTeam.js';
import { closeTeam, removeTeamRows } from '../teams/sql/team.js';
import { encodeId } from '../values/ids.js';
import { subcommand, UsageError, withDatabase } from './command.js';
import type { CommandIo } from './io.js';

/** `orderbeacon demo …` */
export function addDemoCommands(program: Command, io: CommandIo): void {
  const demo = program
    .command('demo')
    .description('The demo team and its page, which a first start on an embedded database makes.');

  subcommand(
    demo,
    'remove',
    'Removes the demo team for good, with its key, page, orders, people, products and sequences. No start makes it again.',
    'demo remove',
  ).action(
    withDatabase(io, async ({ sql }) => {
      const removed = await removeDemo(sql);
      return {
        json: { removed },
        text: removed
          ? `Removed ${removed} and all that belonged to it. No start makes a demo again.`
          : 'There is no demo team, and no start makes one.',
      };
    }),
  );
}

/** Resolves with the id of the team that was removed; null without one. Throws `UsageError` when it has live orders. */
async function removeDemo(sql: Sql): Promise<string | null> {
  const now = new Date();
  // Closed first, so that no report comes in while the rest is removed.
  const team = await inTransaction(sql, async (tx) => {
    await lockDemo(tx);
    const team = await findDemoTeam(tx);
    const liveOrders = team ? await countLiveOrders(tx, team.id) : 0;
    if (liveOrders > 0) {
      throw new UsageError(
        `The demo team has ${liveOrders} live orders, so nothing was removed. See: orderbeacon order list --live --team ${encodeId('team', team!.id)}`,
      );
    }
    await markDemoRemoved(tx, now);
    if (team) await closeTeam(tx, team.id, now);
    return team;
  });
  if (!team) return null;
  await inTransaction(sql, (tx) => removeTeamRows(tx, team.id));
  return encodeId('team', team.id);
}
