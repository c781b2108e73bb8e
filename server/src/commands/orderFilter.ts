import { type Command, Option } from 'commander';
import type { OrderFilter } from '../core/orders/answer/sql/listOrders.js';
import type { ReportedBy } from '../core/orders/storedOrder.js';
import { readTime } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { UsageError } from './command.js';
import { type Moment, momentHelp, parseMoment } from './time.js';

/** Values of the options that `addFilterOptions` adds. */
export interface FilterOptions {
  since?: string;
  until?: string;
  test?: boolean;
  live?: boolean;
  reportedBy?: keyof typeof reporters;
}

/** Values of `--reported-by`. `browser` is the stored word for a page, and lists show it. */
const reporters = {
  page: 'browser',
  browser: 'browser',
  key: 'key',
  both: 'both',
} as const satisfies Record<string, ReportedBy>;

/** Adds the options that select orders. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--since <when>', `orders created at this time or later: ${momentHelp}`)
    .option('--until <when>', 'orders created before this time, in the same forms')
    .addOption(new Option('--test', 'only test orders').conflicts('live'))
    .option('--live', 'only live orders')
    .addOption(
      new Option('--reported-by <who>', 'orders that only pages have reported, only keys, or both').choices(
        Object.keys(reporters),
      ),
    );
}

/** Turns the options into a filter and, where they name a time, a line that shows the exact times. Throws `UsageError`. */
export async function readFilter(
  sql: Sql,
  options: FilterOptions,
): Promise<{ filter: OrderFilter; hint: string | undefined }> {
  const nowMs = await readTime(sql);
  const since = options.since === undefined ? undefined : parseMoment('--since', options.since, nowMs);
  const until = options.until === undefined ? undefined : parseMoment('--until', options.until, nowMs);
  if (since && until && since.at >= until.at) {
    throw new UsageError(
      `--since ${since.at.toISOString()} must be before --until ${until.at.toISOString()}.`,
    );
  }
  const filter: OrderFilter = {
    since: since?.at,
    until: until?.at,
    isTest: options.test ? true : options.live ? false : undefined,
    reportedBy: options.reportedBy && reporters[options.reportedBy],
  };
  return { filter, hint: describeTimes(since, until) };
}

function describeTimes(since: Moment | undefined, until: Moment | undefined): string | undefined {
  if (!since && !until) return undefined;
  const from = since ? ` at or after ${since.at.toISOString()}` : '';
  const to = until ? `${from && ','} before ${until.at.toISOString()}` : '';
  const zone =
    since?.isZoneAssumed || until?.isZoneAssumed
      ? ' A time without a zone is UTC. For another zone add it, such as +01:00.'
      : '';
  return `Orders created${from}${to}.${zone}`;
}
