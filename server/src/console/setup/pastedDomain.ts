import { type DomainEntry, hostOfUrl, parseNewDomainEntry } from '../../core/teams/domains.js';

/** Number of characters of a pasted text that are read. The address of a cart may be long. */
export const pastedCharacters = 2_000;

/**
 * Reads a domain as a merchant pastes it: `shop.example`, `*.shop.example`, or the address of a page, whose host counts.
 * Spaces, quotes and brackets around it are removed.
 */
export function readPastedDomain(pasted: string): DomainEntry {
  const text = pasted.slice(0, pastedCharacters).replaceAll(/^[\s"'<“„]+|[\s"'>“”]+$/g, '');
  if (!/[/?#]/.test(text)) return parseNewDomainEntry(text);
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const address = hasScheme ? text : `http://${text.replace(/^\/\//, '')}`;
  const wildcard = /^\w+:\/\/\*\./.test(address) ? '*.' : '';
  const host = hostOfUrl(wildcard ? address.replace('*.', '') : address);
  if (host === null) return { hint: 'this is not the address of a web page; write it like shop.example' };
  return parseNewDomainEntry(wildcard + host);
}
