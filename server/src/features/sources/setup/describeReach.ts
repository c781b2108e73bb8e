import { describeInner } from '../../../values/addresses.js';
import { providers } from '../providers.js';
import type { SourceKind } from '../source.js';

/** Ports that WordPress calls. It refuses all others. */
const portsOfWordPress = new Set(['', '80', '443', '8080']);

/** Describes in one sentence why a provider cannot call a source's URL. Null if no reason is known. */
export function describeReach(kind: SourceKind, sourceUrl: string): string | null {
  const { name } = providers[kind];
  const url = new URL(sourceUrl);
  const { protocol, port } = url;
  const inner = describeInner(name, url);
  if (inner !== null) return inner;
  if (kind !== 'woocommerce' && protocol !== 'https:')
    return `${name} calls URLs with https:// only. Set PUBLIC_URL to the server's address with https://.`;
  if (kind === 'woocommerce' && !portsOfWordPress.has(port))
    return `WooCommerce calls the ports 80, 443 and 8080 only, not ${port}. Set PUBLIC_URL to an address with one of them.`;
  if (protocol !== 'https:')
    return "If this address leads on to https://, no event arrives, because WooCommerce counts a redirect as delivered. Set PUBLIC_URL to the server's address with https://.";
  return null;
}

/**
 * Describes why orders would count twice: the source is live, but all domains of the team are for tests. Null if they
 * would not.
 */
export function describeMode(
  { isTest }: { isTest: boolean },
  domains: readonly { isTest: boolean }[],
): string | null {
  if (isTest || domains.length === 0 || !domains.every((domain) => domain.isTest)) return null;
  return 'All domains of this team are for tests, and this source is live, so that each order is two. For a trial add a source whose orders are tests.';
}
