import type { Command } from 'commander';
import { displayDomain, parseDomainEntry, parseNewDomainEntry } from '../core/teams/domains.js';
import { addDomain, listDomains, removeDomain } from '../core/teams/sql/domain.js';
import { isPrivateHost } from '../values/addresses.js';
import { command } from '../values/command.js';
import { teamSubcommand, UsageError, withTeam } from './command.js';
import type { CommandIo } from './io.js';
import { addList } from './resource.js';

/** `orderbeacon domain …` */
export function addDomainCommands(program: Command, io: CommandIo): void {
  const domain = program
    .command('domain')
    .description('Domains whose pages may report orders. shop.example includes www.shop.example.');

  teamSubcommand(
    domain,
    'add',
    'Allows a domain. Adding it again sets or clears --test.',
    'domain add --team team_… shop.example',
  )
    .argument('<domain>', 'a host name such as shop.example, or *.shop.example for all its subdomains')
    .option('--test', 'orders from this domain are tests; the default for localhost and private addresses')
    .option('--live', 'orders from this domain are live, also those from localhost and private addresses')
    .action(
      withTeam<{ test?: boolean; live?: boolean }>(io, async ({ sql, team }, mode, text) => {
        const added = readNewDomain(text!, mode);
        await addDomain(sql, team.id, added);
        return {
          json: { domain: added.entry, isTest: added.isTest },
          text: describeDomain(added, mode.test),
        };
      }),
    );

  addList(domain, io, {
    description: 'Lists the allowed domains.',
    read: async ({ sql, team }) => [...(await listDomains(sql, team.id))],
    columns: {
      DOMAIN: (row) => displayDomain(row.domain),
      'ORDERS ARE': (row) => (row.isTest ? 'test' : 'live'),
    },
  });

  teamSubcommand(domain, 'remove', 'Removes an allowed domain.', 'domain remove --team team_… shop.example')
    .argument('<domain>', 'as domain list shows it')
    .action(
      withTeam(io, async ({ sql, team }, options, text) => {
        const removed = await removeDomain(sql, team.id, readDomain(text!));
        if (!removed) {
          throw new UsageError(
            `This team does not allow the domain "${text}". See: ${command} domain list --team ${options.team}`,
          );
        }
        return { json: removed, text: `Removed ${displayDomain(removed.domain)}.` };
      }),
    );
}

/** A domain to allow. */
interface NewDomain {
  entry: string;
  isTest: boolean;
}

/** Reads a domain to allow. Without `--test` or `--live`, orders of private hosts are tests. @throws UsageError */
export function readNewDomain(
  text: string,
  { test, live }: { test?: boolean; live?: boolean } = {},
): NewDomain {
  if (test && live) throw new UsageError('Give --test or --live, not both.');
  const entry = readDomain(text, parseNewDomainEntry);
  return { entry, isTest: test ?? (!live && isPrivateHost(entry)) };
}

/** Reads a domain. @throws UsageError */
export function readDomain(text: string, parse: typeof parseDomainEntry = parseDomainEntry): string {
  const parsed = parse(text);
  if ('hint' in parsed) throw new UsageError(`"${text}" is not a domain: ${parsed.hint}.`);
  return parsed.entry;
}

/**
 * Writes the confirmation for the operator that a domain was allowed. A second sentence follows if its orders are tests.
 * @param isAsked set if the operator asked for tests; otherwise the second sentence contains the reason
 */
export function describeDomain({ entry, isTest }: NewDomain, isAsked = false): string {
  const reason = isAsked
    ? ''
    : ', because only your own network reaches it (domain add --live makes them live)';
  const kind = isTest ? ` Its orders are tests${reason}.` : '';
  return `Allowed ${displayDomain(entry)}.${kind}`;
}
