import { closestDomain } from '../../teams/domains.js';
import { addDomain, listDomains } from '../../teams/sql/domain.js';
import { isPrivateHost } from '../../values/addresses.js';
import type { Uuid } from '../../values/ids.js';
import type { Ask } from '../ask.js';

/** Outcomes of allowing a domain. The setup page has words for each. */
export const allowOutcomes = ['new', 'known', 'included', 'changed'] as const;

/** Outcome of allowing a domain, and the domain that allows it. */
export interface AllowedDomain {
  outcome: (typeof allowOutcomes)[number];
  /** The domain of a team by which the new one is allowed: itself, or a wider one that included it already. */
  domain: string;
}

/**
 * Allows a normalised domain for a team, one of the own network as a test. Changes nothing where it is allowed already
 * with orders of the same kind.
 */
export async function allowDomain(
  ask: Ask,
  teamId: Uuid,
  { entry, wantsTest }: { entry: string; wantsTest: boolean },
): Promise<AllowedDomain> {
  const isTest = wantsTest || isPrivateHost(entry);
  const domains = new Map(
    (await ask(teamId, (sql) => listDomains(sql, teamId))).map(({ domain, isTest }) => [domain, isTest]),
  );
  const allowing = closestDomain(entry, domains);
  if (allowing !== undefined && domains.get(allowing) === isTest) {
    return { outcome: allowing === entry ? 'known' : 'included', domain: allowing };
  }
  await ask(teamId, (sql) => addDomain(sql, teamId, { entry, isTest }));
  return { outcome: allowing === entry ? 'changed' : 'new', domain: entry };
}
