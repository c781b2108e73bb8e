import type { Command } from 'commander';
import { notifyListeners } from '../core/listener.js';
import { findSigningKeys } from '../core/teams/sql/signingKey.js';
import { listTeams, type TeamRow } from '../core/teams/sql/team.js';
import { command, firstShop } from '../values/command.js';
import { changeTeam } from './changeTeam.js';
import {
  type ExtrasOf,
  subcommand,
  teamSubcommand,
  UsageError,
  withDatabase,
  withTeam,
  withTypeId,
} from './command.js';
import type { CommandIo } from './io.js';
import { requireName, requireStorefrontUrl, requireZone } from './options.js';
import { table } from './table.js';
import { addTeamCreate, type MakeLink } from './teamCreate.js';
import { addTeamRemove } from './teamRemove.js';

interface TeamUpdateOptions {
  name?: string;
  zone?: string;
  storefrontUrl?: string;
  requireSignature?: boolean;
}

/** `orderbeacon team …` */
export function addTeamCommands(
  program: Command,
  io: CommandIo,
  extrasOf: ExtrasOf,
  makeLink: MakeLink,
): void {
  const team = program
    .command('team')
    .description('Teams. A team is a shop with its keys, domains, products and orders.');

  addTeamCreate(team, io, makeLink);

  teamSubcommand(
    team,
    'edit',
    'Changes a team. A new storefront URL changes the links of all its products. A team that requires signatures refuses every page’s order that is not signed with one of its signing keys.',
    'team edit --team team_… --storefront-url https://shop.example',
  )
    .option('--name <name>', 'the name that lists show')
    .option('--zone <zone>', 'the shop’s time zone, such as Europe/Berlin: its days are those of the console')
    .option('--storefront-url <url>', 'the shop’s address, which product and purchase links start with')
    .option('--require-signature', 'refuse orders of pages that are not signed')
    .option('--no-require-signature', 'accept them again')
    .action(
      withTeam<TeamUpdateOptions>(io, async ({ sql, team }, options) => {
        const { requireSignature } = options;
        const given = [options.name, options.zone, options.storefrontUrl, requireSignature];
        if (given.every((value) => value === undefined))
          throw new UsageError(
            'Give --name, --zone, --storefront-url, --require-signature or --no-require-signature.',
          );
        const { id } = team;
        const { listeners } = extrasOf(sql);
        const changed = await changeTeam(
          sql,
          id,
          {
            ...(options.name !== undefined && { name: requireName(options.name) }),
            ...(options.zone !== undefined && { zone: await requireZone(sql, options.zone) }),
            ...(options.storefrontUrl !== undefined && {
              storefrontUrl: requireStorefrontUrl(options.storefrontUrl),
            }),
            ...(requireSignature !== undefined && { requiresSignature: requireSignature }),
          },
          listeners,
        );
        if (options.zone !== undefined) await notifyListeners(listeners, 'onZoneStored', sql, id);
        const hasKey = !requireSignature || (await findSigningKeys(sql, id)).length > 0;
        const hint = hasKey
          ? ''
          : ` It has no signing key yet, so every page’s order is refused. Make one: ${command} signing-key create --team ${options.team}`;
        return { json: listedTeam(changed), text: `Updated ${options.team}.${hint}` };
      }),
    );

  subcommand(team, 'list', 'Lists the teams.', 'team list --json').action(
    withDatabase(io, async ({ sql }) => {
      const teams = (await listTeams(sql)).map(listedTeam);
      const rows = teams.map((row) => [
        row.id,
        row.name,
        row.zone,
        row.storefrontUrl,
        row.requiresSignature ? 'required' : 'optional',
      ]);
      const list = table(['ID', 'NAME', 'ZONE', 'STOREFRONT', 'SIGNATURE'], rows);
      return { json: teams, text: teams.length === 0 ? `None yet. ${firstShop}` : list };
    }),
  );
  addTeamRemove(team, io, extrasOf);
}

/** A team as the commands print it. */
const listedTeam = ({ currency: _, ...team }: TeamRow) => withTypeId('team', team);
