import type { Command } from 'commander';
import { teamSubcommand, withTeam } from '../../../commands/command.js';
import { type CommandIo, print } from '../../../commands/io.js';
import { table } from '../../../commands/table.js';
import { findEntries } from '../../../core/teams/sql/domain.js';
import { findTeam } from '../../../core/teams/sql/team.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { CommandServices } from '../../../host/host.js';
import type { Uuid } from '../../../values/ids.js';
import { readRefused, toListedRefused } from '../listedRefused.js';
import type { RefusedRow } from '../refusedReport.js';
import { describeRefusedKind } from '../refusedWords.js';
import { addRefusedOptions, type RefusedOptions, readRefusedFilter } from './refusedFilter.js';
import { addRefusedReplay } from './refusedReplay.js';

/** Adds the commands `orderbeacon refused …`. */
export function addRefusedCommands(program: Command, { io, extrasOf }: CommandServices): void {
  const refused = program.command('refused').description('Refused reports, which can still be stored.');
  addList(refused, io);
  addRefusedReplay(refused, io, extrasOf);
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

/** Creates the function that describes a refused report by the team's current settings. */
async function createDescribe(sql: Sql, teamId: Uuid) {
  const [domains, team] = await Promise.all([findEntries(sql, teamId), findTeam(sql, teamId)]);
  return (report: RefusedRow) => describeRefusedKind(report, domains, team?.requiresSignature);
}
