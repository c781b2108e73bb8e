import { type Command, Option } from 'commander';
import {
  type OriginPart,
  type OriginRow,
  originParts,
  piecesOfOrders,
  sumOrigins,
  type TouchChoice,
  touchChoices,
} from '../orders/sql/orderOrigins.js';
import { table, teamSubcommand, withTeam } from './command.js';
import { type CommandIo, note } from './io.js';
import { readFilter } from './orderFilter.js';
import { momentHelp } from './time.js';

interface SourcesOptions {
  since?: string;
  until?: string;
  test?: boolean;
  touch: TouchChoice;
  by: OriginPart;
  json?: boolean;
}

/** `orderbeacon order sources` */
export function addOrderSources(order: Command, io: CommandIo): void {
  teamSubcommand(
    order,
    'sources',
    'Adds up live orders and their money by where the buyers came from: the ten largest sources, and all others.',
    'order sources --team team_… --since 30d --touch last',
  )
    .option('--since <when>', `orders created at this time or later: ${momentHelp}`)
    .option('--until <when>', 'orders created before this time, in the same forms')
    .option('--test', 'test orders instead')
    .addOption(
      new Option('--touch <which>', 'the first landing, or the last one of a campaign')
        .choices(touchChoices)
        .default('first'),
    )
    .addOption(new Option('--by <what>', 'the part of the landing').choices(originParts).default('source'))
    .action(
      withTeam<SourcesOptions>(io, async ({ sql, team }, { touch, by, test = false, ...options }) => {
        const { filter, hint } = await readFilter(sql, options);
        if (hint && !options.json) note(io, hint);
        const orders = sql`
          select * from placed_order where team_id = ${team.id} and is_test = ${test}
            ${filter.since ? sql`and created_at >= ${filter.since}` : sql``}
            ${filter.until ? sql`and created_at < ${filter.until}` : sql``}`;
        const origins = await sumOrigins(sql, piecesOfOrders(sql, orders, touch, by));
        const rows = origins.map((origin) => [nameOrigin(origin, by), origin.orders, writeMoney(origin)]);
        return { json: origins, text: table([by.toUpperCase(), 'ORDERS', 'MONEY'], rows) };
      }),
    );
}

function nameOrigin({ kind, name }: OriginRow, by: OriginPart): string {
  return kind === 'named' ? name || `(no ${by})` : `(${kind})`;
}

function writeMoney({ money }: OriginRow): string {
  return money.map(({ currency, amount }) => `${amount} ${currency}`).join(', ');
}
