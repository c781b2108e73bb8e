import { closestDomain, displayDomain } from '../../teams/domains.js';
import { addDomain, listDomains } from '../../teams/sql/domain.js';
import { isPrivateHost } from '../../values/addresses.js';
import type { Query } from '../context.js';

/**
 * Allows a normalised domain for a team, one of the own network as a test. Changes nothing where it is allowed already with
 * orders of the same kind. Resolves with the sentence that says what was done.
 */
export async function allowDomain(
  query: Query,
  { entry, wantsTest }: { entry: string; wantsTest: boolean },
): Promise<string> {
  const isTest = wantsTest || isPrivateHost(entry);
  const domains = new Map((await query(listDomains)).map(({ domain, isTest }) => [domain, isTest]));
  const allowing = closestDomain(entry, domains);
  const kind = isTest ? 'test orders' : 'live orders';
  const name = displayDomain(entry);
  if (allowing !== undefined && domains.get(allowing) === isTest) {
    const by = allowing === entry ? '' : `, by ${displayDomain(allowing)}`;
    return `${name} was allowed already${by}. Its orders are ${kind}.`;
  }
  await query(addDomain, { entry, isTest });
  return `${name} is allowed. Its orders are ${kind}${isPrivateHost(entry) ? ', because anyone can use such a host' : ''}.`;
}
