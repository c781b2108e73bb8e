import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { readRefused, toListedRefused } from '../refused/listedRefused.js';
import type { RefusedRow } from '../refused/refusedReport.js';
import { describeRefusedKind } from '../refused/refusedWords.js';
import { listRefused } from '../refused/sql/listRefused.js';
import { discardRefused, restoreRefused } from '../refused/sql/removeRefused.js';
import { findEntries } from '../teams/sql/domain.js';
import { findTeam } from '../teams/sql/team.js';
import type { Uuid } from '../values/ids.js';
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
  addRestore(refused, io);
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
      const describe = await createDescribe(sql, team.id);
      const rows: (string | null)[][] = [];
      let isFirst = true;
      for await (const reports of readRefused(sql, team.id, readRefusedFilter(options))) {
        if (options.json) {
          const lines = reports.map((report) => `  ${JSON.stringify(toListedRefused(report))}`);
          await print(io, (isFirst ? '[\n' : ',\n') + lines.join(',\n'));
        } else rows.push(...reports.map((report) => toCells(report, describe(report).why)));
        isFirst = false;
      }
      if (options.json) await print(io, isFirst ? '[]\n' : '\n]\n');
      if (options.json) return undefined;
      const heading = [
        'ID',
        'RECEIVED (UTC)',
        'REASON',
        'HOST',
        'ORDER ID',
        'EMAIL',
        'AMOUNT',
        'TIMES',
        'WHY',
      ];
      return { json: undefined, text: table(heading, rows) };
    }),
  );
}

function toCells(row: RefusedRow, why: string): (string | null)[] {
  const { id, receivedAt, reason, host, orderId, email, amount, currency, times } = toListedRefused(row);
  const money = amount === null ? null : `${amount} ${currency ?? ''}`;
  return [id, receivedAt, reason, host, orderId, email, money, `${times}`, why];
}

/** Makes the function that describes a refused report by the team's settings of now. */
async function createDescribe(sql: Sql, teamId: Uuid) {
  const [domains, team] = await Promise.all([findEntries(sql, teamId), findTeam(sql, teamId)]);
  return (report: RefusedRow) => describeRefusedKind(report, domains, team?.requiresSignature);
}

function addShow(refused: Command, io: CommandIo): void {
  teamSubcommand(
    refused,
    'show',
    'Prints a refused report as it was sent, and what can be done about it.',
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
        const { why, advice } = (await createDescribe(sql, team.id))(row);
        const lines = [
          `${why}.`,
          advice,
          ...Object.entries(rest).map(([name, value]) => `${name}: ${value ?? '-'}`),
          ...issues.map(({ path, message }) => `issue: ${path || 'the body'} ${message}`),
          `body: ${body}`,
        ];
        return { json: toListedRefused(row), text: lines.map(sanitizeForTerminal).join('\n') };
      }),
    );
}

interface SelectOptions extends RefusedOptions {
  all?: boolean;
}

function addDiscard(refused: Command, io: CommandIo): void {
  addSelection(
    teamSubcommand(
      refused,
      'discard',
      'Removes refused reports, such as those of a test or a bot. For a day refused restore brings them back.',
      'refused discard --team team_… --host copycat.example',
    ),
  ).action(
    withTeam<SelectOptions, [string[]]>(io, async ({ sql, team }, options, ids) => {
      const { reports: discarded } = await discardRefused(sql, team.id, readSelection(options, ids));
      return { json: { discarded }, text: `Discarded ${discarded} refused reports.` };
    }),
  );
}

function addRestore(refused: Command, io: CommandIo): void {
  addSelection(
    teamSubcommand(
      refused,
      'restore',
      'Brings back refused reports that were discarded in the last day.',
      'refused restore --team team_… --host checkout.shop.example',
    ),
  ).action(
    withTeam<SelectOptions, [string[]]>(io, async ({ sql, team }, options, ids) => {
      const restored = await restoreRefused(sql, team.id, readSelection(options, ids));
      return { json: { restored }, text: `Restored ${restored} refused reports.` };
    }),
  );
}

function addSelection(command: Command): Command {
  return addRefusedOptions(command.argument('[ids...]', 'ref_…; or --host, --reason or --all')).option(
    '--all',
    'all refused reports of the team',
  );
}

function readSelection(options: SelectOptions, ids: readonly string[]) {
  const filter = readRefusedFilter(options, ids);
  if (!options.all && Object.keys(filter).length === 0)
    throw new UsageError('Give ids, --host, --reason or --all.');
  return filter;
}
