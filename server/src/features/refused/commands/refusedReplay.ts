import type { Command } from 'commander';
import { type ExtrasOf, teamSubcommand, UsageError, withTeam } from '../../../commands/command.js';
import { createCommandReports } from '../../../commands/commandReports.js';
import { type CommandIo, createProgress } from '../../../commands/io.js';
import { table } from '../../../commands/table.js';
import { findSecret } from '../../../database/installation.js';
import { command } from '../../../values/command.js';
import { encodeId } from '../../../values/ids.js';
import { type Replayed, replayRefused } from '../replayRefused.js';
import { addRefusedOptions, type RefusedOptions, readRefusedFilter } from './refusedFilter.js';

/** Adds the command `orderbeacon refused replay`. */
export function addRefusedReplay(refused: Command, io: CommandIo, extrasOf: ExtrasOf): void {
  addRefusedOptions(
    teamSubcommand(
      refused,
      'replay',
      'Sends refused reports again, under the domains and keys of today. Each is stored once, dated when it first came. A report that is refused again stays, with the new reason.',
      'refused replay --team team_… --host checkout.shop.example',
    ).argument('[ids...]', 'ids ref_… from refused list; default: all'),
  ).action(
    withTeam<RefusedOptions, [string[]]>(io, async ({ sql, team }, options, ids) => {
      const filter = readRefusedFilter(options, ids);
      const progress = createProgress(io, 'refused reports');
      const replayed: ReturnType<typeof toPrinted>[] = [];
      const { storeReport } = createCommandReports(sql, extrasOf(sql));
      const deps = { sql, secret: await findSecret(sql), storeReport };
      await replayRefused(deps, team.id, filter, {
        onReplayed: (some) => {
          replayed.push(...some.map(toPrinted));
          progress.show(replayed.length);
        },
      });
      progress.end(replayed.length);
      if (replayed.length === 0 && ids.length > 0) {
        throw new UsageError(
          `This team has no such refused report, or another replay is storing it. See: ${command} refused list --team ${options.team}`,
        );
      }
      return { json: replayed, text: describe(replayed) };
    }),
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
