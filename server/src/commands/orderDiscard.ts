import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { toListedOrder } from '../orders/listedOrder.js';
import { discardOrder, markRecount } from '../orders/sql/discardOrder.js';
import { listOrders } from '../orders/sql/listOrders.js';
import { decodeId, type Uuid } from '../values/ids.js';
import { requireTeam, subcommand, UsageError, withDatabase } from './command.js';
import type { CommandIo } from './io.js';

/** `orderbeacon order discard`: removes what only pages or a test have said. */
export function addOrderDiscard(order: Command, io: CommandIo): void {
  subcommand(
    order,
    'discard',
    'Removes an order that is a test, or that only pages have reported; the buyer stays. The same report again makes it anew.',
    'order discard --team team_… ORD-8ZK4T0QW2M',
  )
    .argument('<id>', 'ord_… or ORD-…, as order list has them')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options, id) => {
        const team = await requireTeam(sql, options.team);
        const discarded = await discard(sql, team.id, id!);
        return {
          json: discarded,
          text: `Discarded ${discarded.orderNumber}: ${discarded.amount} ${discarded.currency}.`,
        };
      }),
    );
}

/** Removes an order and resolves with its last state. Throws `UsageError`. */
async function discard(sql: Sql, teamId: Uuid, text: string) {
  const id = decodeId('ord', text);
  const [row] = await listOrders(sql, teamId, { ...(id ? { id } : { orderNumber: text }), limit: 1 });
  if (!row) throw new UsageError(`This team has no order "${text}"; see: orderbeacon order list`);
  const isDiscarded = await inTransaction(sql, async (tx) => {
    await markRecount(tx, teamId, row.createdAt);
    return discardOrder(tx, teamId, row.id);
  });
  if (isDiscarded) return toListedOrder(row);
  throw new UsageError(
    `${row.orderNumber} stays: it is no test, and a backend has reported it with an API key. Only test orders and orders that pages alone reported can be discarded.`,
  );
}
