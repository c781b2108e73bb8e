import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

/**
 * Normalises a host name the way browsers do for URLs (WHATWG URL, host parser): lower case, punycode,
 * canonical IP addresses, no port, and, beyond that standard, no trailing dot.
 * Null when it is no host name that a web page can have.
 */
export function normaliseHost(text: string): string | null {
  if (text === '' || /[\s/\\?#@%<>^|]/.test(text)) return null;
  try {
    const { hostname } = new URL(`http://${text}`);
    const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
    if (host === '' || host.length > 253 || host.startsWith('.') || host.includes('..')) return null;
    return /^\[.*\]$|^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(host) ? host : null;
  } catch {
    return null;
  }
}

/**
 * The host that an `Origin` or `Referer` header names, normalised. Null for anything but an http(s) URL,
 * so also for `null` and for URLs that carry a user name (no browser sends one).
 */
export function hostOfUrl(header: string): string | null {
  try {
    const url = new URL(header);
    if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) return null;
    return normaliseHost(url.host);
  } catch {
    return null;
  }
}

/** What an allowed tracking domain may look like, or the reason why it may not. */
export type DomainEntry = { entry: string } | { hint: string };

/**
 * Checks and normalises an entry of a team's allowed domains: a host name (which then also stands for its
 * `www.`), or `*.` and a host name for all true subdomains.
 */
export function parseDomainEntry(text: string): DomainEntry {
  const trimmed = text.trim();
  if (/[/?#]/.test(trimmed)) {
    const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
    const host = hostOfUrl(hasScheme ? trimmed : `http://${trimmed.replace(/^\/\//, '')}`);
    return { hint: `give the host name alone, without scheme and path${host ? `: ${host}` : ''}` };
  }
  if (isIP(trimmed) === 6) return { hint: `write an IPv6 address in brackets: [${trimmed}]` };
  const wildcard = trimmed.startsWith('*.');
  const host = normaliseHost(wildcard ? trimmed.slice(2) : trimmed);
  if (trimmed.includes('*', wildcard ? 1 : 0)) {
    return { hint: 'a star stands only at the start, as in *.shop.example' };
  }
  if (host === null) return { hint: 'that is no host name; write it as in shop.example or *.shop.example' };
  if (wildcard && isAddress(host)) return { hint: 'an IP address has no subdomains; give it without "*."' };
  return { entry: wildcard ? `*.${host}` : host };
}

/**
 * Every entry that would allow this (normalised) host, the most exact first: itself, the name it is the
 * `www.` of, and a wildcard on each name above it. Looking these up finds a match in one index scan.
 */
export function entriesAllowing(host: string): string[] {
  const entries = [host];
  if (isAddress(host)) return entries;
  if (host.startsWith('www.')) entries.push(host.slice(4));
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    entries.push(`*.${host.slice(dot + 1)}`);
  }
  return entries;
}

/** The entry as a person writes it, for lists: punycode turned back into letters. */
export function displayDomain(entry: string): string {
  const wildcard = entry.startsWith('*.') ? '*.' : '';
  return wildcard + (domainToUnicode(entry.slice(wildcard.length)) || entry.slice(wildcard.length));
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}
