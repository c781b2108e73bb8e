import type { Command } from 'commander';
import { confirmationHtml, scriptHtml, tagHtml } from '../core/script/tag.js';
import { addDomain } from '../core/teams/sql/domain.js';
import { createTeam } from '../core/teams/sql/team.js';
import type { Sql } from '../database/connection/connect.js';
import { isPrivateHost } from '../values/addresses.js';
import { command } from '../values/command.js';
import { encodeId, newUuid, type Uuid } from '../values/ids.js';
import { subcommand, withDatabase, withTypeId } from './command.js';
import { describeDomain, readNewDomain } from './domain.js';
import type { CommandIo } from './io.js';
import { requireName, requireStorefrontUrl, requireZone } from './options.js';
import { chooseServerUrl } from './serverUrl.js';

interface TeamCreateOptions {
  name: string;
  zone?: string;
  storefrontUrl?: string;
  domain?: string[];
  link?: boolean;
}

/** Makes a link that signs in to a team's console once. */
export type MakeLink = (
  sql: Sql,
  of: { publicUrl: string; teamId: Uuid },
) => Promise<{ url: string; expiresAt: Date }>;

/** `orderbeacon team create` */
export function addTeamCreate(team: Command, io: CommandIo, makeLink: MakeLink): void {
  subcommand(
    team,
    'create',
    'Creates a team. With --domain and --link it prints all that a merchant needs.',
    'team create --name "My shop" --domain shop.example --link',
  )
    .requiredOption('--name <name>', 'the name that lists show')
    .option(
      '--storefront-url <url>',
      'the shop’s address, which product and purchase links start with; default: https:// of the first --domain, or this server',
    )
    .option('--zone <zone>', 'the shop’s time zone, such as Europe/Berlin', 'UTC')
    .option('--domain <domain...>', 'allow these domains, as domain add does')
    .option('--link', 'also print the HTML to paste, and a link that signs in to the console once')
    .action(
      withDatabase<TeamCreateOptions>(io, async ({ sql, config }, options) => {
        const name = requireName(options.name);
        const publicUrl = await chooseServerUrl(sql, config);
        const domains = options.domain?.map((each) => readNewDomain(each)) ?? [];
        const ownHost = domains.find(({ entry }) => !entry.startsWith('*.') && !isPrivateHost(entry))?.entry;
        const storefrontUrl =
          options.storefrontUrl === undefined
            ? ownHost === undefined
              ? publicUrl
              : `https://${ownHost}`
            : requireStorefrontUrl(options.storefrontUrl);
        const zone = await requireZone(sql, options.zone!);
        const row = { id: newUuid(), name, zone, storefrontUrl };
        await createTeam(sql, row);
        for (const domain of domains) await addDomain(sql, row.id, domain);
        const hint =
          options.storefrontUrl || ownHost
            ? ''
            : ` (change it: ${command} team edit --team ${encodeId('team', row.id)} --storefront-url …)`;
        const lines = [
          `Created ${encodeId('team', row.id)}. Its product links start with ${storefrontUrl}${hint}.`,
          ...domains.map((each) => describeDomain(each)),
        ];
        const shown = domains.map(({ entry, isTest }) => ({ domain: entry, isTest }));
        const [first] = domains;
        const json = {
          ...withTypeId('team', { ...row, requiresSignature: false }),
          ...(first && { domain: first.entry, isTest: first.isTest, domains: shown }),
        };
        if (!options.link) return { json, text: lines.join('\n') };
        const parts = { publicUrl, teamId: json.id };
        const html = tagHtml(parts);
        const { url, expiresAt } = await makeLink(sql, { publicUrl, teamId: row.id });
        lines.push(`\n${html}\n`, `Console: ${url}\nThe link works once, for 15 minutes.`);
        const pieces = { html, everyPage: scriptHtml(parts), confirmationPage: confirmationHtml() };
        return {
          json: { ...json, ...pieces, url, expiresAt: expiresAt.toISOString() },
          text: lines.join('\n'),
        };
      }),
    );
}
