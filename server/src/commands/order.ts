import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { toListedOrder } from '../orders/listedOrder.js';
import { orderCsvHeading, orderCsvLines } from '../orders/orderCsv.js';
import { listOrders } from '../orders/sql/listOrders.js';
import { discardOrder } from '../orders/sql/placedOrder.js';
import { markRecount } from '../orders/sql/summedDay.js';
import { decodeId, type Uuid } from '../values/ids.js';
import { shownEmail } from '../values/madeUpEmail.js';
import { parseLimit, table, teamSubcommand, UsageError, withTeam } from './command.js';
import { type CommandIo, note } from './io.js';
import { addOrderCompare } from './orderCompare.js';
import { addFilterOptions, type FilterOptions, readFilter } from './orderFilter.js';
import { addOrderSources } from './orderSources.js';
import {
  addExportOptions,
  batchRows,
  checkExportOptions,
  type ExportOptions,
  writeExport,
} from './writeExport.js';

/** `orderbeacon order …` */
export function addOrderCommands(program: Command, io: CommandIo): void {
  const order = program.command('order').description('Stored orders.');
  addOrderList(order, io);
  addOrderDiscard(order, io);
  addOrderExport(order, io);
  addOrderSources(order, io);
  addOrderCompare(order, io);
}

/** Orders of one list. A list is in memory as a whole: 100,000 orders took 350 MB, and a million failed. */
export const limitAtMost = 100_000;

interface ListOptions extends FilterOptions {
  limit: string;
  json?: boolean;
}

/** `orderbeacon order list` */
function addOrderList(order: Command, io: CommandIo): void {
  const list = teamSubcommand(
    order,
    'list',
    'Lists stored orders, the newest first.',
    'order list --team team_… --since 24h',
  );
  addFilterOptions(list)
    .option('--limit <n>', `how many orders at most, up to ${limitAtMost}; order export writes all`, '1000')
    .action(
      withTeam<ListOptions>(io, async ({ sql, team }, options) => {
        const { filter, hint } = await readFilter(sql, options);
        const limit = parseLimit(options.limit, limitAtMost, ' To get all orders, use order export.');
        const found = await listOrders(sql, team.id, { ...filter, limit: limit + 1 });
        if (hint && !options.json) note(io, hint);
        if (found.length > limit) {
          note(io, `These are the newest ${limit} orders. --limit lists more, and order export writes all.`);
        }
        const orders = found.slice(0, limit).map(toListedOrder);
        const rows = orders.map((row) => [
          row.createdAt,
          row.orderNumber,
          row.orderId,
          row.email && shownEmail(row.email),
          `${row.amount} ${row.currency}`,
          row.reportedBy,
          [row.isTest && 'test', row.paymentStatus !== 'PAID' && paymentWords[row.paymentStatus]]
            .filter(Boolean)
            .join(', '),
        ]);
        const heading = ['CREATED (UTC)', 'NUMBER', 'ORDER ID', 'EMAIL', 'AMOUNT', 'REPORTED BY', ''];
        return { json: orders, text: table(heading, rows) };
      }),
    );
}

const paymentWords = { PARTIALLY_REFUNDED: 'partially refunded', REFUNDED: 'refunded' };

/** `orderbeacon order export` */
function addOrderExport(order: Command, io: CommandIo): void {
  const command = order
    .command('export')
    .description(
      'Writes all orders, or those that the options select, to stdout, in constant memory. Times are in UTC.',
    )
    .requiredOption('--team <id>', 'the team')
    .addHelpText(
      'after',
      '\nExample:\n  orderbeacon order export --team team_… --format csv --excel > orders.csv',
    );
  addFilterOptions(addExportOptions(command, { isFormatNeeded: true })).action(
    withTeam<ExportOptions & FilterOptions>(io, async ({ sql, team }, options) => {
      checkExportOptions(options);
      const { filter, hint } = await readFilter(sql, options);
      if (hint) note(io, hint);
      const { format, excel } = options;
      await writeExport(io, listOrders(sql, team.id, filter).cursor(batchRows), {
        noun: 'orders',
        format,
        toListed: toListedOrder,
        csvHeading: orderCsvHeading(excel),
        toCsvLines: (orders) => orderCsvLines(orders, excel),
      });
      return undefined;
    }),
  );
}

/** `orderbeacon order discard` */
function addOrderDiscard(order: Command, io: CommandIo): void {
  teamSubcommand(
    order,
    'discard',
    'Removes an order that is a test or that only pages have reported. The buyer stays. If the same report comes again, it is a new order.',
    'order discard --team team_… ORD-8ZK4T0QW2M',
  )
    .argument('<id>', 'ord_… or ORD-…, as order list has them')
    .action(
      withTeam(io, async ({ sql, team }, _options, id) => {
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
  if (!row) throw new UsageError(`This team has no order "${text}". See: orderbeacon order list`);
  const isDiscarded = await inTransaction(sql, async (tx) => {
    await markRecount(tx, teamId, [row.createdAt]);
    return discardOrder(tx, teamId, row.id);
  });
  if (isDiscarded) return toListedOrder(row);
  throw new UsageError(
    `${row.orderNumber} was not discarded: it is a live order that a backend has reported with an API key. Only test orders, and orders that only pages have reported, can be discarded.`,
  );
}
