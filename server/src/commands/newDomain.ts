import { displayDomain, parseDomainEntry, parseNewDomainEntry } from '../core/teams/domains.js';
import { isPrivateHost } from '../values/addresses.js';
import { UsageError } from './command.js';

/** A domain that is to be allowed. */
export interface NewDomain {
  entry: string;
  isTest: boolean;
}

/** Reads a domain that is to be allowed. Without a mode, orders of private hosts are tests. Throws `UsageError`. */
export function readNewDomain(
  text: string,
  { test, live }: { test?: boolean; live?: boolean } = {},
): NewDomain {
  if (test && live) throw new UsageError('Give --test or --live, not both.');
  const entry = readDomain(text, parseNewDomainEntry);
  return { entry, isTest: test ?? (!live && isPrivateHost(entry)) };
}

/** Reads a domain. Throws `UsageError`. */
export function readDomain(text: string, parse: typeof parseDomainEntry = parseDomainEntry): string {
  const parsed = parse(text);
  if ('hint' in parsed) throw new UsageError(`"${text}" is not a domain: ${parsed.hint}.`);
  return parsed.entry;
}

/** Says that a domain was allowed, and the mode of its orders. */
export function describeDomain({ entry, isTest }: NewDomain, isAsked = false): string {
  const reason = isAsked
    ? ''
    : ', because only your own network reaches it (domain add --live makes them live)';
  const kind = isTest ? ` Its orders are tests${reason}.` : '';
  return `Allowed ${displayDomain(entry)}.${kind}`;
}
