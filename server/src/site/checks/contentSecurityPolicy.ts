import { createHash } from 'node:crypto';

/** The directives of one policy: source lists by name. */
type PolicyDirectives = Map<string, string[]>;

/** Verdicts of a page's policies on the needs of the tag (W3C Content Security Policy Level 3). */
export interface PagePolicies {
  allowScript(script: { url: string; nonce?: string | undefined; integrity?: string | undefined }): boolean;
  allowInline(script: { text: string; nonce?: string | undefined }): boolean;
  allowConnect(url: string): boolean;
}

/**
 * Reads the policies of a page. A request is allowed only if every policy allows it.
 * @param texts values of `Content-Security-Policy` headers and `meta` elements; a header may hold several, with commas
 */
export function readPolicies(texts: string[], pageUrl: string): PagePolicies {
  const policies = texts.flatMap((text) => text.split(',')).map(parse);
  const page = new URL(pageUrl);
  const everyList = (names: string[], isAllowed: (sources: string[]) => boolean) =>
    policies.every((policy) => {
      const name = names.find((each) => policy.has(each));
      return name === undefined || isAllowed(policy.get(name)!);
    });
  const scriptLists = ['script-src-elem', 'script-src', 'default-src'];

  return {
    allowScript: ({ url, nonce, integrity }) =>
      everyList(scriptLists, (sources) => {
        if (hasNonce(sources, nonce) || hasEveryHash(sources, integrity)) return true;
        if (sources.includes("'strict-dynamic'")) return false;
        return sources.some((source) => matches(source, new URL(url), page));
      }),
    allowInline: ({ text, nonce }) => {
      const hashes = hashSourcesOf(text);
      return everyList(scriptLists, (sources) => {
        if (hasNonce(sources, nonce) || sources.some((source) => hashes.has(source))) return true;
        // A nonce or a hash in the list turns 'unsafe-inline' off, but not an empty one.
        const isStrict = sources.some((source) => /^'((nonce|sha\d{3})-[^']|strict-dynamic')/.test(source));
        return sources.includes("'unsafe-inline'") && !isStrict;
      });
    },
    allowConnect: (url) =>
      everyList(['connect-src', 'default-src'], (sources) =>
        sources.some((source) => matches(source, new URL(url), page)),
      ),
  };
}

function parse(text: string): PolicyDirectives {
  const policy: PolicyDirectives = new Map();
  for (const directive of text.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    // The first of two directives of a name counts.
    const key = name!.toLowerCase();
    if (!policy.has(key)) policy.set(key, sources.map(readSource));
  }
  return policy;
}

/** Writes keywords, schemes and hosts in lower case, and hashes in the alphabet of `integrity`. Nonces and paths are exact. */
function readSource(text: string): string {
  const source = text.replace(/^('(nonce|sha\d{3})-|'[^']*'|[a-z][\w+.-]*:\/\/[^/]*|[^/]*)/i, (start) =>
    start.toLowerCase(),
  );
  return source.startsWith("'sha")
    ? source.slice(0, 8) + source.slice(8).replaceAll('-', '+').replaceAll('_', '/')
    : source;
}

function hasNonce(sources: string[], nonce: string | undefined): boolean {
  return nonce !== undefined && nonce !== '' && sources.includes(`'nonce-${nonce}'`);
}

/** True when the policy lists each hash of an `integrity` attribute, which then identifies the file. */
function hasEveryHash(sources: string[], integrity: string | undefined): boolean {
  const hashes = integrity?.split(/\s+/).filter(Boolean) ?? [];
  return hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`));
}

/** The sources that allow a script by its hash. They are made once: a policy may list thousands. */
function hashSourcesOf(text: string): Set<string> {
  const sources = ['sha256', 'sha384', 'sha512'].map(
    (name) => `'${name}-${createHash(name).update(text).digest('base64')}'`,
  );
  return new Set(sources);
}

/** True if a source expression matches a URL (section 6.7.2.8). */
function matches(source: string, url: URL, page: URL): boolean {
  if (source === '*') return /^https?:$/.test(url.protocol);
  if (source === "'self'") return url.host === page.host && isSchemeMatch(page.protocol, url.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) return isSchemeMatch(source, url.protocol);
  const [, scheme, host, port, path] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[^:/'*]+)(?::(\d+|\*))?(?:(\/[^?#]*).*)?$/.exec(source) ?? [];
  if (!host) return false;
  return (
    isSchemeMatch(scheme ?? page.protocol, url.protocol) &&
    isHostMatch(host, url.hostname) &&
    isPortMatch(port, url) &&
    isPathMatch(path, url.pathname)
  );
}

const isSchemeMatch = (allowed: string, actual: string) =>
  allowed === actual || (allowed === 'http:' && actual === 'https:');
const isHostMatch = (allowed: string, actual: string) =>
  allowed === '*' || (allowed.startsWith('*.') ? actual.endsWith(allowed.slice(1)) : actual === allowed);

function isPortMatch(allowed: string | undefined, { port, protocol }: URL): boolean {
  if (allowed === '*') return true;
  const actual = port || (protocol === 'https:' ? '443' : '80');
  if (allowed === undefined) return port === '';
  return allowed === actual || (allowed === '80' && actual === '443');
}

function isPathMatch(allowed: string | undefined, actual: string): boolean {
  if (allowed === undefined || allowed === '/') return true;
  return allowed.endsWith('/') ? actual.startsWith(allowed) : actual === allowed;
}
