import { type Command, Option } from 'commander';
import type { NamedColumns } from '../compare/chooseColumns.js';
import { compareOrders } from '../compare/compareOrders.js';
import { type Comparison, isSame } from '../compare/comparison.js';
import { csvRows } from '../compare/csvRows.js';
import { decodeFile } from '../compare/decodeFile.js';
import { FileError } from '../compare/fileError.js';
import { openOrderFile } from '../compare/fileOrders.js';
import type { DateOrder } from '../compare/readDate.js';
import type { DecimalSign } from '../compare/readMoney.js';
import { columnKey, shopExports } from '../compare/shopExports.js';
import { readTime } from '../database/clock.js';
import { type CommandContext, teamSubcommand, UsageError, withTeam } from './command.js';
import { type ComparedLists, keepDifference } from './comparedLists.js';
import { readBytes } from './input.js';
import type { CommandIo } from './io.js';
import { describeComparison, toDocument } from './printComparison.js';
import { createProgress } from './progress.js';
import { storeListed } from './storeListed.js';

interface CompareOptions {
  store?: boolean;
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
}

/** `orderbeacon order compare` */
export function addOrderCompare(order: Command, io: CommandIo): void {
  const names = shopExports.slice(1).map(({ name }) => name);
  teamSubcommand(
    order,
    'compare',
    `Compares a shop's export with the stored orders, by order id: orders that are missing here, that differ, and that are only here within the dates of the file. Exit code 0: no difference; 1: differences are left; 2: the file cannot be compared. Exports are recognised by their first line: ${names.join(', ')}, and a CSV with the columns orderId and amount.`,
    'order compare --team team_… orders.csv\n  orderbeacon order compare --team team_… orders.csv --store\n  orderbeacon order compare --team team_… orders.csv --order-id Number --amount Sum --currency EUR',
  )
    .argument('<file>', 'a CSV file; - for stdin')
    .option(
      '--store',
      'store the missing orders at their own dates, as reports with a key; each once, however often',
    )
    .option('--test', 'compare with test orders, and store as tests')
    .option('--order-id <column>', 'the column with the order id')
    .option('--amount <column>', 'the column with the total')
    .option('--currency <column>', 'the column with the currency, or a code such as EUR for all rows')
    .option('--email <column>', 'the column with the buyer’s email')
    .option('--created-at <column>', 'the column with the date; without a zone it is in UTC')
    .option('--name <column>', 'the column with the buyer’s name')
    .option('--status <column>', 'the column that says if the order was paid')
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
    .action(
      withTeam<CompareOptions>(io, async (context, options, path) => {
        const lists: ComparedLists = { missing: [], different: [], onlyHere: [], unread: [], notStored: [] };
        try {
          const { comparison, stored } = await compareFile(io, context, options, { path: path!, lists });
          if (!isSame(comparison, stored)) io.exitCode = 1;
          return {
            json: toDocument(lists, comparison, stored),
            text: describeComparison(lists, comparison, stored),
          };
        } catch (error) {
          throw error instanceof FileError ? new UsageError(`${path}: ${error.message}`) : error;
        }
      }),
    );
}

async function compareFile(
  io: CommandIo,
  { sql, team }: CommandContext & { team: { id: string } },
  options: CompareOptions,
  { path, lists }: { path: string; lists: ComparedLists },
): Promise<{ comparison: Comparison; stored: number }> {
  const isTest = options.test ?? false;
  const file = await openOrderFile(csvRows(decodeFile(readBytes(io, path))), {
    columns: readColumns(options),
    decimal: options.decimal ?? null,
    dateOrder: options.dates ?? null,
    alsoPaid: new Set(options.paid?.map(columnKey)),
    isTest,
    nowMs: await readTime(sql),
  });
  const progress = createProgress(io, 'rows');
  let rows = 0;
  const world = { teamId: team.id, isTest };
  const { comparison, isInFile } = await compareOrders(async (statement) => statement(sql), world, file, {
    onDifference: (found) => keepDifference(lists, found),
    onProgress: (count) => {
      rows = count;
      progress.show(count);
    },
  });
  progress.end(rows);
  if (!options.store) return { comparison, stored: 0 };
  return {
    comparison,
    stored: await storeListed(io, sql, world, { lists, isInFile, columns: file.columns }),
  };
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
