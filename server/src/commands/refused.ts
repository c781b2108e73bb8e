import type { Command } from 'commander';
import { readRefused, toListedRefused } from '../refused/listedRefused.js';
import { listRefused } from '../refused/sql/listRefused.js';
import { discardRefused } from '../refused/sql/removeRefused.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { requireTeam, subcommand, table, UsageError, withDatabase } from './command.js';
import { type CommandIo, print } from './io.js';
import { addRefusedOptions, type RefusedOptions, readRefusedFilter, requireId } from './refusedFilter.js';
import { addRefusedReplay } from './refusedReplay.js';

/** `orderbeacon refused …` */
export function addRefusedCommands(program: Command, io: CommandIo): void {
  const refused = program
    .command('refused')
    .description('Reports that were refused, and can be stored after all.');
  addList(refused, io);
  addShow(refused, io);
  addRefusedReplay(refused, io);
  addDiscard(refused, io);
}

function addList(refused: Command, io: CommandIo): void {
  addRefusedOptions(
    subcommand(
      refused,
      'list',
      'Lists the refused reports of the last 30 days that wait to be mended, the newest first.',
      'refused list --team team_… --reason domain_not_allowed',
    ),
  ).action(
    withDatabase<RefusedOptions>(io, async ({ sql }, options) => {
      const filter = readRefusedFilter(options);
      const team = await requireTeam(sql, options.team);
      const rows: (string | null)[][] = [];
      let isFirst = true;
      for await (const reports of readRefused(sql, team.id, filter)) {
        if (options.json) {
          const lines = reports.map((report) => `  ${JSON.stringify(report)}`);
          await print(io, (isFirst ? '[\n' : ',\n') + lines.join(',\n'));
        }
        isFirst = false;
        for (const report of options.json ? [] : reports) {
          const { id, receivedAt, reason, issues, host, orderId, email, amount, currency, times } = report;
          const fields = [...new Set(issues.map(({ path }) => path || 'body'))].join(', ');
          const money = amount === null ? null : `${amount} ${currency ?? ''}`;
          rows.push([
            id,
            receivedAt,
            fields ? `${reason}: ${fields}` : reason,
            host,
            orderId,
            email,
            money,
            `${times}`,
          ]);
        }
      }
      if (options.json) await print(io, isFirst ? '[]\n' : '\n]\n');
      if (options.json) return undefined;
      const heading = ['ID', 'RECEIVED (UTC)', 'REASON', 'HOST', 'ORDER ID', 'EMAIL', 'AMOUNT', 'TIMES'];
      return { json: undefined, text: table(heading, rows) };
    }),
  );
}

function addShow(refused: Command, io: CommandIo): void {
  subcommand(refused, 'show', 'Prints a refused report as it was sent.', 'refused show --team team_… ref_…')
    .argument('<id>', 'ref_…, as refused list has them')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options, id) => {
        const ids = [requireId(id!)];
        const team = await requireTeam(sql, options.team);
        const [row] = await listRefused(sql, team.id, { ids, limit: 1 });
        if (!row)
          throw new UsageError(
            `This team has no refused report "${id}" that waits; see: orderbeacon refused list`,
          );
        const { issues, body, ...rest } = toListedRefused(row);
        const lines = [
          ...Object.entries(rest).map(([name, value]) => `${name}: ${value ?? '-'}`),
          ...issues.map(({ path, message }) => `issue: ${path || 'the body'} ${message}`),
          `body: ${body}`,
        ];
        return { json: toListedRefused(row), text: lines.map(sanitizeForTerminal).join('\n') };
      }),
    );
}

interface DiscardOptions extends RefusedOptions {
  all?: boolean;
}

function addDiscard(refused: Command, io: CommandIo): void {
  addRefusedOptions(
    subcommand(
      refused,
      'discard',
      'Removes refused reports for ever, such as a test’s or a bot’s.',
      'refused discard --team team_… --host copycat.example',
    ).argument('[ids...]', 'ref_…; or --host, --reason or --all'),
  )
    .option('--all', 'all refused reports of the team')
    .action(
      withDatabase<DiscardOptions>(io, async ({ sql }, options, ids) => {
        const filter = readRefusedFilter(options, ids as unknown as string[]);
        if (!options.all && Object.keys(filter).length === 0) {
          throw new UsageError('Say which: ids, --host, --reason, or --all.');
        }
        const team = await requireTeam(sql, options.team);
        const discarded = await discardRefused(sql, team.id, filter);
        return { json: { discarded }, text: `Discarded ${discarded} refused reports.` };
      }),
    );
}
