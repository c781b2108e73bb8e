import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { parse as findSuffix, getDomain } from 'tldts';
import { parseUrl, parseWebUrl } from '../../values/url.js';

/** Characters of the longest host with `:65535` and a trailing dot. Node took 12 ms to parse a host of 16 KB. */
const hostLength = 260;
/** Matches a URL up to its path. */
const beforePath = new RegExp(String.raw`^https?://[/\\]*[^/?#\\]{1,${hostLength}}(?![^/?#\\])`, 'i');

const appOrigin = /^(?!(?:https?|ftp|file):)[a-z][a-z0-9+.-]{1,30}:\/\/[a-z0-9][a-z0-9.-]{0,100}$/i;

/**
 * @returns true for the origin of pages inside an app, such as `capacitor://localhost` or `tauri://localhost`, which is used as
 *   their host
 */
export function isAppOrigin(text: string): boolean {
  return appOrigin.test(text);
}

/**
 * Normalises a host name as browsers do for URLs (WHATWG URL, host parser): lower case, punycode, canonical IP addresses, no port.
 * Also removes a trailing dot, which that standard keeps.
 * @returns null if no web page can have such a host
 */
export function normaliseHost(text: string): string | null {
  if (text === '' || text.length > hostLength || /[\s/\\?#@%<>^|]/.test(text)) return null;
  const hostname = parseUrl(`http://${text}`)?.hostname;
  if (hostname === undefined) return null;
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host === '' || host.length > 253 || host.startsWith('.') || host.includes('..')) return null;
  return /^\[.*\]$|^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(host) ? host : null;
}

/**
 * Reads the normalised host of an `Origin` or `Referer` header. Of an app's page it returns the whole origin.
 * @returns null if the header has no such host, such as `null`, or has a user name, which browsers never send
 */
export function hostOfUrl(header: string): string | null {
  if (isAppOrigin(header)) return header.toLowerCase();
  const [page] = beforePath.exec(header) ?? [];
  const url = page === undefined ? null : parseWebUrl(page);
  return url && !url.username && !url.password ? normaliseHost(url.host) : null;
}

/** A normalised entry of a team's allowed domains, or the reason why the text is not one. */
export type DomainEntry = { entry: string } | { hint: string };

/**
 * Checks and normalises an entry of a team's allowed domains. An entry is a host name, which includes its `www.`; or `*.` and a
 * host name for all its subdomains; or the origin of an app's pages.
 */
export function parseDomainEntry(text: string): DomainEntry {
  const trimmed = text.trim();
  if (isAppOrigin(trimmed)) return { entry: trimmed.toLowerCase() };
  if (/[/?#]/.test(trimmed)) {
    const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
    const host = hostOfUrl(hasScheme ? trimmed : `http://${trimmed.replace(/^\/\//, '')}`);
    return { hint: `give the host name alone, without scheme and path${host ? `: ${host}` : ''}` };
  }
  if (isIP(trimmed) === 6) return { hint: `write an IPv6 address in brackets: [${trimmed}]` };
  const wildcard = trimmed.startsWith('*.');
  const host = normaliseHost(wildcard ? trimmed.slice(2) : trimmed);
  if (trimmed.includes('*', wildcard ? 1 : 0)) {
    return { hint: 'a star is allowed only at the start, as in *.shop.example' };
  }
  if (host === null) return { hint: 'it is not a host name; write it like shop.example or *.shop.example' };
  if (wildcard && isAddress(host)) return { hint: 'an IP address has no subdomains; give it without "*."' };
  return { entry: wildcard ? `*.${host}` : host };
}

/**
 * Parses an entry as `parseDomainEntry` does, but also rejects public suffixes such as `com`, `co.uk` or `myshopify.com`
 * (publicsuffix.org). Anyone can register a host below one. Use it only for new entries, so that an old one can still be removed.
 */
export function parseNewDomainEntry(text: string): DomainEntry {
  const parsed = parseDomainEntry(text);
  if ('hint' in parsed) return parsed;
  const host = parsed.entry.replace('*.', '');
  const { isIcann, isPrivate, publicSuffix } = findSuffix(host, {
    allowPrivateDomains: true,
    validateHostname: false,
  });
  if (publicSuffix !== host || !(isIcann || isPrivate)) return parsed;
  return {
    hint: `anyone can register a host below ${displayDomain(host)}; give your own, like shop.${displayDomain(host)}`,
  };
}

/**
 * Most labels of a host for which entries are listed. No shop has more, and a host of 127 labels would add as many entries to each
 * batch's look-up.
 */
const labelsAtMost = 20;

/**
 * Lists every entry that allows a normalised host, the most specific first: the host, the host without `www.`, and a wildcard for
 * each parent domain. One index scan over these finds the team's entry.
 */
export function entriesAllowing(host: string): string[] {
  const entries = [host];
  if (isAddress(host) || isAppOrigin(host) || host.split('.').length > labelsAtMost) return entries;
  if (host.startsWith('www.')) entries.push(host.slice(4));
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    entries.push(`*.${host.slice(dot + 1)}`);
  }
  return entries;
}

/** Finds the most specific of some domain entries that allows a normalised host. */
export function closestDomain(host: string, domains: Pick<ReadonlySet<string>, 'has'>): string | undefined {
  return host === '' ? undefined : entriesAllowing(host).find((entry) => domains.has(entry));
}

/** @returns true if one of a team's domain entries allows the normalised host */
export function isAllowed(host: string, domains: ReadonlySet<string>): boolean {
  return closestDomain(host, domains) !== undefined;
}

/** Finds the registered domain of a host: `shop.example` of `www.shop.example`. */
export function siteOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/**
 * Formats an entry of a team for lists, with letters instead of punycode. If it has letters of another script than Latin, punycode
 * follows in parentheses, because some look like Latin ones.
 */
export function displayDomain(entry: string): string {
  const letters = lettersOf(entry);
  return /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(letters) ? letters : displayHost(entry);
}

/** Formats a host that may be made up. If it has letters in punycode, it shows both. */
export function displayHost(host: string): string {
  const letters = lettersOf(host);
  return letters === host ? host : `${letters} (${host})`;
}

function lettersOf(entry: string): string {
  const wildcard = entry.startsWith('*.') ? '*.' : '';
  return wildcard + (domainToUnicode(entry.slice(wildcard.length)) || entry.slice(wildcard.length));
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}
