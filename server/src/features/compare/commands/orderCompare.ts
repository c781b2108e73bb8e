import { type Command, Option } from 'commander';
import {
  type CommandContext,
  commandOf,
  type ExtrasOf,
  teamSubcommand,
  UsageError,
  withTeam,
} from '../../../commands/command.js';
import { readBytes } from '../../../commands/input.js';
import { type CommandIo, createProgress } from '../../../commands/io.js';
import { requireZone } from '../../../commands/options.js';
import { readTime } from '../../../database/clock.js';
import { withoutTurns } from '../../../database/turns.js';
import type { CommandServices } from '../../../host/host.js';
import { command } from '../../../values/command.js';
import { openCsv } from '../../../values/csvFile.js';
import { columnKey } from '../../../values/csvHeads.js';
import { FileError } from '../../../values/errors.js';
import { compareOrders } from '../compare/compareOrders.js';
import { judge } from '../compare/comparison.js';
import type { NamedColumns } from '../read/chooseColumns.js';
import { UnnamedDates } from '../read/dateColumn.js';
import { formats } from '../read/formats.js';
import { openOrderFile } from '../read/openOrderFile.js';
import type { DateOrder } from '../read/readDate.js';
import type { DecimalSign } from '../read/readMoney.js';
import {
  type Compared,
  type ComparedLists,
  describeComparison,
  keepDifference,
  toDocument,
} from './printComparison.js';
import { storeListed } from './storeListed.js';

interface CompareOptions {
  store?: boolean;
  asNew?: boolean;
  test?: boolean;
  json?: boolean;
  orderId?: string;
  amount?: string;
  currency?: string;
  email?: string;
  createdAt?: string;
  name?: string;
  status?: string;
  paid?: string[];
  decimal?: DecimalSign;
  dates?: DateOrder;
  zone?: string;
}

/** Adds the command `orderbeacon order compare`. */
export function addCompareCommand(program: Command, { io, extrasOf }: CommandServices): void {
  const names = [...new Set(formats.slice(1).map(({ name }) => name))];
  teamSubcommand(
    commandOf(program, 'order'),
    'compare',
    `Compares a shop's export with the stored orders, by order id: orders that are missing here, that differ, and that are only here within the dates of the file. Exit code 0: no difference; 1: differences are left; 2: no row could be read as a paid order. Exports are recognised by their first line: ${names.join(', ')}; of any other CSV the columns whose names say what they are.`,
    `order compare --team team_… orders.csv\n  ${command} order compare --team team_… orders.csv --store\n  ${command} order compare --team team_… orders.csv --order-id Number --amount Sum --currency EUR`,
  )
    .argument('<file>', 'a CSV file; - for stdin')
    .option(
      '--store',
      'store the missing orders at their own dates, as reports with a key; each once, however often',
    )
    .option(
      '--as-new',
      'with --store: they are other orders, although no id of the file is known, or one of the same amount and day is stored',
    )
    .option('--test', 'compare with test orders, and store as tests')
    .option('--order-id <column>', 'the column with the order id')
    .option('--amount <column>', 'the column with the total')
    .option('--currency <column>', 'the column with the currency, or a code such as EUR for all rows')
    .option('--email <column>', 'the column with the buyer’s email')
    .option('--created-at <column>', 'the column with the date; "" leaves it out')
    .option('--name <column>', 'the column with the buyer’s name')
    .option('--status <column>', 'the column that says if the order was paid; "" leaves out all that do')
    .option('--paid <words...>', 'further words of that column for a paid order')
    .addOption(
      new Option('--decimal <sign>', 'the sign before decimals, for amounts such as 1.234').choices([
        'point',
        'comma',
      ]),
    )
    .addOption(
      new Option('--dates <order>', 'day or month first, for dates such as 05/06/2026').choices([
        'dmy',
        'mdy',
      ]),
    )
    .option(
      '--zone <zone>',
      'the time zone of dates without one, such as Europe/Berlin; that of the team if left out',
    )
    .action(
      withTeam<CompareOptions>(io, async (context, options, path) => {
        const lists: ComparedLists = { missing: [], different: [], onlyHere: [], unread: [], notStored: [] };
        try {
          const compared = await compareFile(io, context, options, {
            path: path!,
            lists,
            extrasOf,
          });
          io.exitCode = { same: 0, different: 1, 'nothing compared': 2 }[
            judge(compared.comparison, compared.stored)
          ];
          return {
            json: toDocument(lists, compared),
            text: describeComparison(lists, compared),
          };
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          const hint =
            error instanceof UnnamedDates
              ? ' --created-at "Column" names it, --created-at "" leaves it out.'
              : '';
          throw new UsageError(`${path}: ${error.message}${hint}`);
        }
      }),
    );
}

async function compareFile(
  io: CommandIo,
  { sql, team }: CommandContext & { team: { id: string; zone: string } },
  options: CompareOptions,
  { path, lists, extrasOf }: { path: string; lists: ComparedLists; extrasOf: ExtrasOf },
): Promise<Compared> {
  const isTest = options.test ?? false;
  const file = await openOrderFile(await openCsv(readBytes(io, path)), {
    columns: readColumns(options),
    decimal: options.decimal ?? null,
    dateOrder: options.dates ?? null,
    zone: options.zone === undefined ? team.zone : await requireZone(sql, options.zone),
    alsoPaid: new Set(options.paid?.map(columnKey)),
    isTest,
    nowMs: await readTime(sql),
  });
  const progress = createProgress(io, 'orders');
  const mode = { teamId: team.id, isTest };
  const { outcome, differences, isInFile } = compareOrders(withoutTurns(sql), mode, file);
  for await (const found of differences) {
    keepDifference(lists, found);
    progress.show(outcome.orders);
  }
  progress.end(outcome.orders);
  const areNew = options.asNew ?? false;
  const isHeld = options.store === true && outcome.otherIds !== null && !areNew;
  if (!options.store || isHeld) return { comparison: outcome, stored: 0, isHeld };
  const { columns } = file;
  const stored = await storeListed(io, sql, mode, { lists, isInFile, columns, areNew }, extrasOf(sql));
  return { comparison: outcome, stored, isHeld };
}

function readColumns({
  orderId,
  amount,
  currency,
  email,
  createdAt,
  name,
  status,
}: CompareOptions): NamedColumns {
  const given = Object.entries({ orderId, amount, currency, email, createdAt, name, status });
  return Object.fromEntries(given.filter(([, column]) => column !== undefined));
}
