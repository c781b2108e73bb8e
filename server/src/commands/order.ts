import type { Command } from 'commander';
import { toListedOrder } from '../core/orders/answer/listedOrder.js';
import { listOrders } from '../core/orders/answer/sql/listOrders.js';
import { command } from '../values/command.js';
import { shownEmail } from '../values/email.js';
import { teamSubcommand, UsageError, withTeam } from './command.js';
import { type CommandIo, note } from './io.js';
import { orderCsvHeading, orderCsvLines } from './orderCsv.js';
import { addFilterOptions, type FilterOptions, readFilter } from './orderFilter.js';
import { table } from './table.js';
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
  addOrderExport(order, io);
}

/** Most orders of one list, which is in memory as a whole: 100,000 orders took 350 MB, and a million failed. */
const limitAtMost = 100_000;

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
        const limit = parseLimit(options.limit);
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

/** Reads the number of orders of `--limit`. @throws UsageError */
function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= limitAtMost) return Number(text);
  throw new UsageError(
    `--limit must be a whole number from 1 to ${limitAtMost}, not "${text}". To get all orders, use order export.`,
  );
}

const paymentWords = { PARTIALLY_REFUNDED: 'partially refunded', REFUNDED: 'refunded' };

/** `orderbeacon order export` */
function addOrderExport(order: Command, io: CommandIo): void {
  const exporting = order
    .command('export')
    .description(
      'Writes all orders, or those that the options select, to stdout, in constant memory. Times are in UTC.',
    )
    .requiredOption('--team <id>', 'the team')
    .addHelpText(
      'after',
      `\nExample:\n  ${command} order export --team team_… --format csv --excel > orders.csv`,
    );
  addFilterOptions(addExportOptions(exporting)).action(
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
