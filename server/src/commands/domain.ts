import type { Command } from 'commander';
import { displayDomain, parseDomainEntry, parseNewDomainEntry } from '../teams/domains.js';
import { addDomain, listDomains, removeDomain } from '../teams/sql/domain.js';
import { requireTeam, subcommand, table, UsageError, withDatabase } from './command.js';
import type { CommandIo } from './io.js';

/** `orderbeacon domain …` */
export function addDomainCommands(program: Command, io: CommandIo): void {
  const domain = program
    .command('domain')
    .description('Domains whose pages may report orders. shop.example includes www.shop.example.');

  subcommand(
    domain,
    'add',
    'Allows a domain. Adding it again sets or clears --test.',
    'domain add --team team_… shop.example',
  )
    .argument('<domain>', 'a host name such as shop.example, or *.shop.example for all its subdomains')
    .requiredOption('--team <id>', 'the team')
    .option('--test', 'its orders are tests; use this for localhost')
    .action(
      withDatabase<{ team: string; test?: boolean }>(io, async ({ sql }, options, text) => {
        const entry = readEntry(text!, parseNewDomainEntry);
        const team = await requireTeam(sql, options.team);
        const isTest = options.test ?? false;
        await addDomain(sql, team.id, { entry, isTest });
        const kind = isTest ? ' Its orders are tests.' : '';
        return { json: { domain: entry, isTest }, text: `Allowed ${displayDomain(entry)}.${kind}` };
      }),
    );

  subcommand(domain, 'list', 'Lists the allowed domains.', 'domain list --team team_…')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const domains = [...(await listDomains(sql, team.id))];
        const rows = domains.map((row) => [displayDomain(row.domain), row.isTest ? 'test' : 'live']);
        return { json: domains, text: table(['DOMAIN', 'ORDERS ARE'], rows) };
      }),
    );

  subcommand(domain, 'remove', 'Removes an allowed domain.', 'domain remove --team team_… shop.example')
    .argument('<domain>', 'as domain list shows it')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options, text) => {
        const team = await requireTeam(sql, options.team);
        const removed = await removeDomain(sql, team.id, readEntry(text!, parseDomainEntry));
        if (!removed) {
          throw new UsageError(
            `This team does not list "${text}". See: orderbeacon domain list --team ${options.team}`,
          );
        }
        return { json: removed, text: `Removed ${displayDomain(removed.domain)}.` };
      }),
    );
}

function readEntry(text: string, parse: typeof parseDomainEntry): string {
  const parsed = parse(text);
  if ('hint' in parsed) throw new UsageError(`"${text}" is not a domain: ${parsed.hint}.`);
  return parsed.entry;
}
