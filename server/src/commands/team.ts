import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { rebuildProducts } from '../products/importProducts.js';
import { findSigningKeys } from '../teams/sql/signingKey.js';
import { findTeam, listTeams, type TeamRow, updateTeam } from '../teams/sql/team.js';
import {
  subcommand,
  table,
  teamSubcommand,
  UsageError,
  withDatabase,
  withTeam,
  withTypeId,
} from './command.js';
import type { CommandIo } from './io.js';
import { requireName, requireStorefrontUrl } from './newTeam.js';
import { addTeamCreate } from './teamCreate.js';
import { addTeamRemove } from './teamRemove.js';

interface TeamUpdateOptions {
  name?: string;
  storefrontUrl?: string;
  requireSignature?: boolean;
}

/** `orderbeacon team …` */
export function addTeamCommands(program: Command, io: CommandIo): void {
  const team = program
    .command('team')
    .description('Teams. A team is a shop with its keys, domains, products and orders.');

  addTeamCreate(team, io);

  teamSubcommand(
    team,
    'update',
    'Changes a team. A new storefront URL changes the links of all its products. A team that requires signatures refuses every page’s order that is not signed with one of its signing keys.',
    'team update --team team_… --storefront-url https://shop.example',
  )
    .option('--name <name>', 'the name that lists show')
    .option('--storefront-url <url>', 'the shop’s address, which product and purchase links start with')
    .option('--require-signature', 'refuse orders of pages that are not signed')
    .option('--no-require-signature', 'accept them again')
    .action(
      withTeam<TeamUpdateOptions>(io, async ({ sql, team }, options) => {
        const { requireSignature } = options;
        if ([options.name, options.storefrontUrl, requireSignature].every((given) => given === undefined))
          throw new UsageError(
            'Give --name, --storefront-url, --require-signature or --no-require-signature.',
          );
        const { id } = team;
        const changed = await change(sql, id, {
          ...(options.name !== undefined && { name: requireName(options.name) }),
          ...(options.storefrontUrl !== undefined && {
            storefrontUrl: requireStorefrontUrl(options.storefrontUrl),
          }),
          ...(requireSignature !== undefined && { requiresSignature: requireSignature }),
        });
        const hasKey = !requireSignature || (await findSigningKeys(sql, id)).length > 0;
        const hint = hasKey
          ? ''
          : ` It has no signing key yet, so every page’s order is refused. Make one: orderbeacon signing-key create --team ${options.team}`;
        return { json: withTypeId('team', changed), text: `Updated ${options.team}.${hint}` };
      }),
    );

  subcommand(team, 'list', 'Lists the teams.', 'team list --json').action(
    withDatabase(io, async ({ sql }) => {
      const teams = (await listTeams(sql)).map((row) => withTypeId('team', row));
      const rows = teams.map((row) => [
        row.id,
        row.name,
        row.storefrontUrl,
        row.requiresSignature ? 'required' : 'optional',
      ]);
      return { json: teams, text: table(['ID', 'NAME', 'STOREFRONT', 'SIGNATURE'], rows) };
    }),
  );
  addTeamRemove(team, io);
}

/** Updates a team. Locks its row, so that a concurrent import builds all its links with the same URL. */
function change(sql: Sql, id: string, changes: Partial<TeamRow>): Promise<TeamRow> {
  return inTransaction(sql, async (tx) => {
    const team = { ...(await findTeam(tx, id, { lock: true }))!, ...changes };
    await updateTeam(tx, team);
    if (changes.storefrontUrl) await rebuildProducts(tx, id, changes.storefrontUrl);
    return team;
  });
}
