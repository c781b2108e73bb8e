import type { Command } from 'commander';
import { readRefused, toListedRefused } from '../refused/listedRefused.js';
import { listRefused } from '../refused/sql/listRefused.js';
import { discardRefused } from '../refused/sql/removeRefused.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { table, teamSubcommand, UsageError, withTeam } from './command.js';
import { type CommandIo, print } from './io.js';
import { addRefusedOptions, type RefusedOptions, readRefusedFilter, requireId } from './refusedFilter.js';
import { addRefusedReplay } from './refusedReplay.js';

/** `orderbeacon refused …` */
export function addRefusedCommands(program: Command, io: CommandIo): void {
  const refused = program.command('refused').description('Refused reports, which you can correct and store.');
  addList(refused, io);
  addShow(refused, io);
  addRefusedReplay(refused, io);
  addDiscard(refused, io);
}

function addList(refused: Command, io: CommandIo): void {
  addRefusedOptions(
    teamSubcommand(
      refused,
      'list',
      'Lists the refused reports of the last 30 days that need attention, the newest first.',
      'refused list --team team_… --reason domain_not_allowed',
    ),
  ).action(
    withTeam<RefusedOptions>(io, async ({ sql, team }, options) => {
      const filter = readRefusedFilter(options);
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
  teamSubcommand(
    refused,
    'show',
    'Prints a refused report as it was sent.',
    'refused show --team team_… ref_…',
  )
    .argument('<id>', 'the id ref_… from refused list')
    .action(
      withTeam(io, async ({ sql, team }, _options, id) => {
        const ids = [requireId(id!)];
        const [row] = await listRefused(sql, team.id, { ids, limit: 1 });
        if (!row)
          throw new UsageError(
            `This team has no refused report "${id}" that needs attention. See: orderbeacon refused list`,
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
    teamSubcommand(
      refused,
      'discard',
      'Removes refused reports for good, such as those of a test or a bot.',
      'refused discard --team team_… --host copycat.example',
    ).argument('[ids...]', 'ref_…; or --host, --reason or --all'),
  )
    .option('--all', 'all refused reports of the team')
    .action(
      withTeam<DiscardOptions, [string[]]>(io, async ({ sql, team }, options, ids) => {
        const filter = readRefusedFilter(options, ids);
        if (!options.all && Object.keys(filter).length === 0) {
          throw new UsageError('Give ids, --host, --reason or --all.');
        }
        const discarded = await discardRefused(sql, team.id, filter);
        return { json: { discarded }, text: `Discarded ${discarded} refused reports.` };
      }),
    );
}
