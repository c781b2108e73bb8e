import type { Command } from 'commander';
import { toListedOrder } from '../orders/listedOrder.js';
import { listOrders } from '../orders/sql/listOrders.js';
import { requireTeam, subcommand, table, UsageError, withDatabase } from './command.js';
import { type CommandIo, note } from './io.js';
import { addFilterOptions, type FilterOptions, readFilter } from './orderFilter.js';

/** A list is in memory as a whole: a hundred thousand orders took 350 MB, and a million failed. */
const limitAtMost = 100_000;

interface ListOptions extends FilterOptions {
  team: string;
  limit: string;
  json?: boolean;
}

/** `orderbeacon order list` */
export function addOrderList(order: Command, io: CommandIo): void {
  const list = subcommand(
    order,
    'list',
    'Lists stored orders, the newest first.',
    'order list --team team_… --since 24h',
  ).requiredOption('--team <id>', 'the team');
  addFilterOptions(list)
    .option('--limit <n>', `at most so many, up to ${limitAtMost}; order export writes all`, '1000')
    .action(
      withDatabase<ListOptions>(io, async ({ sql }, options) => {
        const { filter, hint } = readFilter(options);
        const limit = parseLimit(options.limit);
        const team = await requireTeam(sql, options.team);
        const found = await listOrders(sql, team.id, { ...filter, limit: limit + 1 });
        if (hint && !options.json) note(io, hint);
        if (found.length > limit) {
          note(io, `These are the newest ${limit}; --limit lists more, and order export writes all.`);
        }
        const orders = found.slice(0, limit).map(toListedOrder);
        const rows = orders.map((row) => [
          row.createdAt,
          row.orderNumber,
          row.orderId,
          row.email,
          `${row.amount} ${row.currency}`,
          row.reportedBy,
          row.isTest ? 'test' : '',
        ]);
        const heading = ['CREATED (UTC)', 'NUMBER', 'ORDER ID', 'EMAIL', 'AMOUNT', 'REPORTED BY', ''];
        return { json: orders, text: table(heading, rows) };
      }),
    );
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= limitAtMost) return Number(text);
  throw new UsageError(
    `--limit must be a whole number from 1 to ${limitAtMost}, unlike "${text}"; order export writes all.`,
  );
}
