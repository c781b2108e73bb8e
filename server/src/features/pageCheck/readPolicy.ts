import { createHash } from 'node:crypto';

/** A Content-Security-Policy: the sources of each directive, by its name in lower case. */
export type Policy = Map<string, string[]>;

/** Reads the policies of a header, which are separated by commas. */
export const readPolicies = (header: string): Policy[] => header.split(',').map(readPolicy);

/** Reads one policy. If a directive occurs twice, the first one counts. */
export function readPolicy(text: string): Policy {
  const directives = text.split(';').map((directive) => directive.trim().split(/\s+/));
  return new Map(directives.reverse().map(([name, ...sources]) => [name!.toLowerCase(), sources]));
}

/** A directive of a policy. */
export interface Directive {
  name: string;
  sources: string[];
}

/**
 * Finds the directive that applies: the first of `names` that the policy has. Undefined if it has none, so that
 * everything is allowed.
 */
export function findDirective(policy: Policy, names: readonly string[]): Directive | undefined {
  const name = names.find((one) => policy.has(one));
  return name === undefined ? undefined : { name, sources: policy.get(name)! };
}

export const scriptNames = ['script-src-elem', 'script-src', 'default-src'] as const;
export const connectNames = ['connect-src', 'default-src'] as const;

const hasWord = (sources: string[], word: string) => sources.some((one) => one.toLowerCase() === word);
const hash = /^'(sha(?:256|384|512))-([\w+/-]+=*)'$/i;

/** @returns true if a nonce is listed. Text that somebody adds to the page cannot contain it. */
export const hasNonce = (sources: string[]): boolean => sources.some((one) => /^'nonce-/i.test(one));
export const isStrict = (sources: string[]): boolean => hasWord(sources, "'strict-dynamic'");

const allowsNonce = (sources: string[], nonce: string | undefined): boolean =>
  Boolean(nonce) && sources.some((one) => /^'nonce-/i.test(one) && one.slice(7, -1) === nonce);

/** @returns true if a script in the page's HTML may be loaded from an address (CSP 3, 6.7.1.1) */
export function allowsScript(
  sources: string[],
  url: string,
  pageUrl: string,
  { nonce, integrity }: { nonce?: string | undefined; integrity?: string | undefined },
): boolean {
  if (allowsNonce(sources, nonce)) return true;
  const pins = integrity?.split(/\s+/).filter((one) => /^sha\d{3}-/.test(one)) ?? [];
  if (pins.length > 0 && pins.every((pin) => sources.includes(`'${pin.split('?', 1)[0]}'`))) return true;
  // `'strict-dynamic'` allows scripts that trusted scripts add, but no tag in the HTML.
  return !isStrict(sources) && allowsUrl(sources, url, pageUrl);
}

/** @returns true if an inline script may run (CSP 3, 6.7.3). A nonce or hash in the list disables `'unsafe-inline'`. */
export function allowsInline(sources: string[], text: string, nonce: string | undefined): boolean {
  if (allowsNonce(sources, nonce)) return true;
  const hashes = sources.flatMap((one) => {
    const [, algorithm, value] = hash.exec(one) ?? [];
    return algorithm ? [{ algorithm: algorithm.toLowerCase(), value: toBase64(value!) }] : [];
  });
  const isListed = hashes.some(
    ({ algorithm, value }) => createHash(algorithm).update(text).digest('base64') === value,
  );
  const isOpen = hasWord(sources, "'unsafe-inline'") && !hasNonce(sources) && hashes.length === 0;
  return isListed || (isOpen && !isStrict(sources));
}

const toBase64 = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

/** @returns true if a source matches the address (CSP 3, 6.7.2). Of the quoted words, only `'self'` matches anything. */
export function allowsUrl(sources: string[], url: string, pageUrl: string): boolean {
  const asked = new URL(url);
  const page = new URL(pageUrl);
  return sources.some((source) => {
    if (source === '*') return /^https?:$/.test(asked.protocol);
    if (source.toLowerCase() === "'self'") return isSelf(asked, page);
    const [, scheme] = /^([a-z][a-z\d+.-]*):$/i.exec(source) ?? [];
    if (scheme) return matchesScheme(scheme, asked);
    const [, own, host, port, path] =
      /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[\w.-]+|\[[\da-f:]+\])(?::(\d+|\*))?(\/[^?#]*)?$/i.exec(
        source,
      ) ?? [];
    return (
      host !== undefined &&
      matchesScheme(own ?? page.protocol.slice(0, -1), asked) &&
      matchesHost(host.toLowerCase(), asked.hostname) &&
      matchesPort(port, asked) &&
      matchesPath(path, asked.pathname)
    );
  });
}

function isSelf(asked: URL, page: URL): boolean {
  const isUpgrade = asked.protocol === 'https:' && !asked.port && !page.port;
  return asked.origin === page.origin || (asked.hostname === page.hostname && isUpgrade);
}

/** @returns true if a scheme matches. `http` also matches `https`. */
function matchesScheme(scheme: string, { protocol }: URL): boolean {
  const wanted = `${scheme.toLowerCase()}:`;
  return protocol === wanted || (wanted === 'http:' && protocol === 'https:');
}

function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function matchesPort(pattern: string | undefined, { port, protocol }: URL): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80');
  if (pattern === undefined) return port === '';
  return pattern === '*' || pattern === own || (pattern === '80' && own === '443' && protocol === 'https:');
}

function matchesPath(pattern: string | undefined, path: string): boolean {
  if (!pattern || pattern === '/') return true;
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern;
}
