import { type Command, Option } from 'commander';
import type { Sql } from '../database/connect.js';
import { decodeId, type Uuid } from '../ids.js';
import { discardOrder } from '../sql/discardOrder.js';
import { listOrders } from '../sql/listOrders.js';
import { note, requireTeam, subcommand, table, UsageError, withDatabase } from './command.js';
import { toListedOrder } from './listedOrder.js';
import { type ExportFormat, exportFormats, exportOrders } from './orderExport.js';
import { createProgress } from './progress.js';

/** A list is in memory as a whole: a hundred thousand orders took 350 MB, and a million failed. */
const limitAtMost = 100_000;

/** `orderbeacon order …` */
export function addOrderCommands(program: Command): void {
  const order = program.command('order').description('Stored orders.');

  subcommand(order, 'list', 'Lists stored orders, the newest first.', 'order list --team team_… --since 24h')
    .requiredOption('--team <id>', 'the team')
    .option('--since <when>', 'an ISO date or time, or a span such as 30m, 24h or 7d')
    .option('--limit <n>', `at most so many, up to ${limitAtMost}; order export writes all`, '1000')
    .action(
      withDatabase<{ team: string; since?: string; limit: string }>(async ({ sql }, options) => {
        const since = options.since === undefined ? undefined : parseSince(options.since);
        const limit = parseLimit(options.limit);
        const team = await requireTeam(sql, options.team);
        const found = await listOrders(sql, team.id, { since, limit: limit + 1 });
        if (found.length > limit) {
          note(`These are the newest ${limit}; --limit lists more, and order export writes all.`);
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
        const heading = ['CREATED', 'NUMBER', 'ORDER ID', 'EMAIL', 'AMOUNT', 'REPORTED BY', ''];
        return { json: orders, text: table(heading, rows) };
      }),
    );

  subcommand(
    order,
    'discard',
    'Removes an order that is a test, or that only pages have reported; the buyer stays. The same report again makes it anew.',
    'order discard --team team_… ORD-8ZK4T0QW2M',
  )
    .argument('<id>', 'ord_… or ORD-…, as order list has them')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(async ({ sql }, options, id) => {
        const team = await requireTeam(sql, options.team);
        const discarded = await discard(sql, team.id, id!);
        return {
          json: discarded,
          text: `Discarded ${discarded.orderNumber}: ${discarded.amount} ${discarded.currency}.`,
        };
      }),
    );

  order
    .command('export')
    .description('Writes all orders to stdout, in constant memory.')
    .requiredOption('--team <id>', 'the team')
    .addOption(new Option('--format <format>', 'csv or ndjson').choices(exportFormats).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  orderbeacon order export --team team_… --format csv > orders.csv')
    .action(
      withDatabase<{ team: string; format: ExportFormat }>(async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const progress = createProgress('orders');
        progress.end(await exportOrders(sql, team.id, options.format, process.stdout, progress.show));
        return undefined;
      }),
    );
}

/** Removes an order and resolves with what it was. Throws `UsageError`. */
async function discard(sql: Sql, teamId: Uuid, text: string) {
  const id = decodeId('ord', text);
  const [row] = await listOrders(sql, teamId, { ...(id ? { id } : { orderNumber: text }), limit: 1 });
  if (!row) throw new UsageError(`This team has no order "${text}"; see: orderbeacon order list`);
  if (await discardOrder(sql, teamId, row.id)) return toListedOrder(row);
  throw new UsageError(
    `${row.orderNumber} stays: it is no test, and a backend has reported it with an API key. Only test orders and orders that pages alone reported can be discarded.`,
  );
}

const spanMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseSince(text: string): Date {
  const span = /^(\d{1,6})([mhd])$/.exec(text);
  const date = new Date(span ? Date.now() - Number(span[1]) * spanMs[span[2] as keyof typeof spanMs] : text);
  if ((!span && !/^\d{4}-\d\d-\d\d/.test(text)) || Number.isNaN(date.getTime())) {
    throw new UsageError(
      `--since must be a date such as 2026-05-01, a time, or a span such as 24h, unlike "${text}".`,
    );
  }
  // No order is older, and PostgreSQL reads no year before 1.
  return new Date(Math.max(0, date.getTime()));
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= limitAtMost) return Number(text);
  throw new UsageError(
    `--limit must be a whole number from 1 to ${limitAtMost}, unlike "${text}"; order export writes all.`,
  );
}
