import type { Command } from 'commander';
import { findSecret } from '../database/installation.js';
import { type RefusedChanges, readCorrectedAmount } from '../refused/correct.js';
import { type Replayed, replayRefused } from '../refused/replayRefused.js';
import { encodeId } from '../values/ids.js';
import { table, teamSubcommand, UsageError, withTeam } from './command.js';
import { createCommandReports } from './commandReports.js';
import type { CommandIo } from './io.js';
import { createProgress } from './progress.js';
import { addRefusedOptions, type RefusedOptions, readRefusedFilter } from './refusedFilter.js';

interface ReplayCommandOptions extends RefusedOptions {
  email?: string;
  amount?: string;
  currency?: string;
  orderId?: string;
}

/** `orderbeacon refused replay` */
export function addRefusedReplay(refused: Command, io: CommandIo): void {
  addRefusedOptions(
    teamSubcommand(
      refused,
      'replay',
      'Sends refused reports again, under the domains and keys of today. Each is stored once, dated when it first came. A report that is refused again stays, with the new reason. A single report can be corrected.',
      'refused replay --team team_… --host checkout.shop.example\n  orderbeacon refused replay --team team_… ref_… --amount 49.90',
    ).argument('[ids...]', 'ids ref_… from refused list; default: all'),
  )
    .option('--email <email>', 'the right email for a single report')
    .option('--amount <amount>', 'the right amount for a single report')
    .option('--currency <code>', 'the right currency for a single report')
    .option('--order-id <id>', 'the right orderId for a single report')
    .action(
      withTeam<ReplayCommandOptions, [string[]]>(io, async ({ sql, team }, options, ids) => {
        const filter = readRefusedFilter(options, ids);
        const changes = readChanges(options);
        if (changes && ids.length !== 1) throw new UsageError('Give the id ref_… of the report to correct.');
        const progress = createProgress(io, 'refused reports');
        const replayed: ReturnType<typeof toPrinted>[] = [];
        const deps = { sql, secret: await findSecret(sql), storeReport: createCommandReports(sql) };
        await replayRefused(deps, team.id, filter, {
          ...(changes && { changes }),
          onReplayed: (some) => {
            replayed.push(...some.map(toPrinted));
            progress.show(replayed.length);
          },
        });
        progress.end(replayed.length);
        if (replayed.length === 0 && ids.length > 0) {
          throw new UsageError(
            'This team has no such refused report, or another replay is storing it. See: orderbeacon refused list',
          );
        }
        return { json: replayed, text: describe(replayed) };
      }),
    );
}

/** Reads the corrections; undefined when nothing is corrected. Throws `UsageError`. */
function readChanges({ email, amount, currency, orderId }: ReplayCommandOptions): RefusedChanges | undefined {
  const changes: RefusedChanges = {
    ...(email !== undefined && { email }),
    ...(amount !== undefined && { amount: readAmount(amount) }),
    ...(currency !== undefined && { currency }),
    ...(orderId !== undefined && { orderId }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function readAmount(text: string): number {
  const amount = readCorrectedAmount(text);
  if (amount !== null) return amount;
  throw new UsageError(
    `--amount must be a number such as 49.90 with at most 15 significant digits, not "${text}".`,
  );
}

function toPrinted({ entry, outcome: { kind, ...rest } }: Replayed) {
  return { id: encodeId('ref', entry.id), orderId: entry.orderId, outcome: kind, ...rest };
}

function describe(replayed: readonly ReturnType<typeof toPrinted>[]): string {
  if (replayed.length === 0) return 'None.';
  const count = (kind: string) => replayed.filter(({ outcome }) => outcome === kind).length;
  const rows = replayed.map((row) => [
    row.id,
    row.orderId,
    row.outcome,
    'code' in row ? `${row.code}: ${row.message}` : row.orderNumber,
  ]);
  const sum = `${count('new')} stored, ${count('known')} already known, ${count('refused')} refused again.`;
  return `${table(['ID', 'ORDER ID', 'OUTCOME', ''], rows)}\n${sum}`;
}
