import type { Command } from 'commander';
import { findSecret } from '../database/installation.js';
import { createStoreReport } from '../orders/storeReport.js';
import { type RefusedChanges, readCorrectedAmount } from '../refused/correct.js';
import { type Replayed, replayRefused } from '../refused/replayRefused.js';
import { encodeId } from '../values/ids.js';
import { requireTeam, subcommand, table, UsageError, withDatabase } from './command.js';
import type { CommandIo } from './io.js';
import { createProgress } from './progress.js';
import { addRefusedOptions, type RefusedOptions, readRefusedFilter } from './refusedFilter.js';

interface ReplayCommandOptions extends RefusedOptions {
  email?: string;
  amount?: string;
  currency?: string;
  orderId?: string;
}

/** Limits of a queue of its own: a replay has 64 reports at a time. */
const bounds = {
  batchRows: 64,
  statementsInFlight: 1,
  rowsWaiting: 1_000,
  rowsWaitingOfGroup: 1_000,
  waitAtMostMs: 10_000,
};

/** `orderbeacon refused replay`: stores refused reports that can be stored by now. */
export function addRefusedReplay(refused: Command, io: CommandIo): void {
  addRefusedOptions(
    subcommand(
      refused,
      'replay',
      'Stores refused reports again, each once and dated when it came first, by the domains and keys of now. What is refused again stays, with its new reason. A single one can be corrected.',
      'refused replay --team team_… --host checkout.shop.example\n  orderbeacon refused replay --team team_… ref_… --amount 49.90',
    ).argument('[ids...]', 'ref_…, as refused list has them; all by default'),
  )
    .option('--email <email>', 'the right email, of a single report')
    .option('--amount <amount>', 'the right amount, of a single report')
    .option('--currency <code>', 'the right currency, of a single report')
    .option('--order-id <id>', 'the right orderId, of a single report')
    .action(
      withDatabase<ReplayCommandOptions>(io, async ({ sql }, options, given) => {
        const ids = given as unknown as string[];
        const filter = readRefusedFilter(options, ids);
        const changes = readChanges(options);
        if (changes && ids.length !== 1)
          throw new UsageError('Give the one ref_… that the correction is for.');
        const team = await requireTeam(sql, options.team);
        const progress = createProgress(io, 'refused reports');
        const replayed: ReturnType<typeof toPrinted>[] = [];
        const { storeReport } = createStoreReport({ main: sql, known: sql }, bounds);
        const deps = { sql, secret: await findSecret(sql), storeReport };
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
            'This team has no such refused report, or another replay has it; see: orderbeacon refused list',
          );
        }
        return { json: replayed, text: describe(replayed) };
      }),
    );
}

/** Undefined when nothing is corrected. Throws `UsageError`. */
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
    `--amount must be a number such as 49.90, of at most 15 significant digits, unlike "${text}".`,
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
  const sum = `${count('new')} stored, ${count('known')} known already, ${count('refused')} refused again.`;
  return `${table(['ID', 'ORDER ID', 'OUTCOME', ''], rows)}\n${sum}`;
}
