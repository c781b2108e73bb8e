import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { rebuildProducts } from '../products/importProducts.js';
import { createTeam, findTeam, listTeams, type TeamRow, updateTeam } from '../teams/sql/team.js';
import { encodeId, newUuid } from '../values/ids.js';
import { limits } from '../values/limits.js';
import { isStorable } from '../values/text.js';
import { parseWebUrl } from '../values/webUrl.js';
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
import { chooseServerUrl } from './serverUrl.js';
import { addTeamRemove } from './teamRemove.js';

/** `orderbeacon team …` */
export function addTeamCommands(program: Command, io: CommandIo): void {
  const team = program
    .command('team')
    .description('Teams. A team is a shop with its keys, domains, products and orders.');

  subcommand(
    team,
    'create',
    'Creates a team.',
    'team create --name "My shop" --storefront-url https://shop.example',
  )
    .requiredOption('--name <name>', 'the name that lists show')
    .option(
      '--storefront-url <url>',
      'the shop’s address, which product and purchase links start with; default: this server',
    )
    .action(
      withDatabase<{ name: string; storefrontUrl?: string }>(io, async ({ sql, config }, options) => {
        const name = requireName(options.name);
        const storefrontUrl =
          options.storefrontUrl === undefined
            ? await chooseServerUrl(sql, config)
            : parseStorefrontUrl(options.storefrontUrl);
        const row = { id: newUuid(), name, storefrontUrl };
        await createTeam(sql, row);
        const hint = options.storefrontUrl
          ? ''
          : ` (change it: orderbeacon team update --team … --storefront-url …)`;
        return {
          json: withTypeId('team', row),
          text: `Created ${encodeId('team', row.id)}. Its product links start with ${storefrontUrl}${hint}.`,
        };
      }),
    );

  teamSubcommand(
    team,
    'update',
    'Changes a team. A new storefront URL changes the links of all its products.',
    'team update --team team_… --storefront-url https://shop.example',
  )
    .option('--name <name>', 'the name that lists show')
    .option('--storefront-url <url>', 'the shop’s address, which product and purchase links start with')
    .action(
      withTeam<{ name?: string; storefrontUrl?: string }>(io, async ({ sql, team }, options) => {
        if (options.name === undefined && options.storefrontUrl === undefined)
          throw new UsageError('Give --name, --storefront-url or both.');
        const { id } = team;
        const changed = await change(sql, id, {
          ...(options.name !== undefined && { name: requireName(options.name) }),
          ...(options.storefrontUrl !== undefined && {
            storefrontUrl: parseStorefrontUrl(options.storefrontUrl),
          }),
        });
        return { json: withTypeId('team', changed), text: `Updated ${options.team}.` };
      }),
    );

  subcommand(team, 'list', 'Lists the teams.', 'team list --json').action(
    withDatabase(io, async ({ sql }) => {
      const teams = (await listTeams(sql)).map((row) => withTypeId('team', row));
      const rows = teams.map((row) => [row.id, row.name, row.storefrontUrl]);
      return { json: teams, text: table(['ID', 'NAME', 'STOREFRONT'], rows) };
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

/** Trims and checks `--name`. Throws `UsageError` for a name that is empty, too long or cannot be stored. */
export function requireName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > limits.text || !isStorable(trimmed)) {
    throw new UsageError(`--name must be 1 to ${limits.text} characters.`);
  }
  return trimmed;
}

function parseStorefrontUrl(text: string): string {
  const url = parseWebUrl(text);
  if (!url || url.search || url.hash || url.username || url.password) {
    throw new UsageError(
      `--storefront-url must be an http or https URL without user name and query, not "${text}".`,
    );
  }
  // Not `href`: it keeps an empty "?" or "#" at its end, and paths are appended to this.
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
