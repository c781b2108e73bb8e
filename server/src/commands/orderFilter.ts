import { type Command, Option } from 'commander';
import type { OrderFilter } from '../core/orders/answer/sql/listOrders.js';
import type { ReportedBy } from '../core/orders/storedOrder.js';
import { readTime } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { UsageError } from './command.js';
import { type Moment, momentHelp, parseMoment } from './time.js';

/** Values of the options that `addSpanOptions` adds. */
export interface SpanOptions {
  since?: string;
  until?: string;
  test?: boolean;
  live?: boolean;
}

/** Values of the options that `addFilterOptions` adds. */
export interface FilterOptions extends SpanOptions {
  reportedBy?: keyof typeof reporters;
}

/** Noun and verb of the rows that a span selects, for help texts. */
type Dated = 'orders created' | 'refunds made';

/** Values of `--reported-by`, by which `reported_by` is selected. Lists show the stored word `browser` for pages. */
const reporters = {
  page: 'browser',
  browser: 'browser',
  key: 'key',
  both: 'both',
} as const satisfies Record<string, ReportedBy>;

/** Adds the options that select a span of time and a mode. */
export function addSpanOptions(command: Command, dated: Dated): Command {
  const [noun] = dated.split(' ');
  return command
    .option('--since <when>', `${dated} at this time or later: ${momentHelp}`)
    .option('--until <when>', `${dated} before this time, in the same forms`)
    .addOption(new Option('--test', `only test ${noun}`).conflicts('live'))
    .option('--live', `only live ${noun}`);
}

/** Adds the options that select orders. */
export function addFilterOptions(command: Command): Command {
  return addSpanOptions(command, 'orders created').addOption(
    new Option('--reported-by <who>', 'orders that only pages have reported, only keys, or both').choices(
      Object.keys(reporters),
    ),
  );
}

/** Turns the options into a span. If they name a time, `hint` is a line with the exact times. @throws UsageError */
export async function readSpan(
  sql: Sql,
  options: SpanOptions,
  dated: Dated,
): Promise<{ span: { since?: Date; until?: Date; isTest?: boolean }; hint: string | undefined }> {
  const nowMs = await readTime(sql);
  const since = options.since === undefined ? undefined : parseMoment('--since', options.since, nowMs);
  const until = options.until === undefined ? undefined : parseMoment('--until', options.until, nowMs);
  if (since && until && since.at >= until.at) {
    throw new UsageError(
      `--since ${since.at.toISOString()} must be before --until ${until.at.toISOString()}.`,
    );
  }
  return {
    span: {
      ...(since && { since: since.at }),
      ...(until && { until: until.at }),
      ...((options.test || options.live) && { isTest: options.test === true }),
    },
    hint: describeTimes(since, until, dated),
  };
}

/** Turns the options of orders into a filter, as `readSpan` does. */
export async function readFilter(
  sql: Sql,
  options: FilterOptions,
): Promise<{ filter: OrderFilter; hint: string | undefined }> {
  const { span, hint } = await readSpan(sql, options, 'orders created');
  return { filter: { ...span, reportedBy: options.reportedBy && reporters[options.reportedBy] }, hint };
}

function describeTimes(
  since: Moment | undefined,
  until: Moment | undefined,
  dated: Dated,
): string | undefined {
  if (!since && !until) return undefined;
  const from = since ? ` at or after ${since.at.toISOString()}` : '';
  const to = until ? `${from && ','} before ${until.at.toISOString()}` : '';
  const zone =
    since?.isZoneAssumed || until?.isZoneAssumed
      ? ' A time without a zone is UTC. For another zone add it, such as +01:00.'
      : '';
  return `${dated.replace(/^./, (letter) => letter.toUpperCase())}${from}${to}.${zone}`;
}
