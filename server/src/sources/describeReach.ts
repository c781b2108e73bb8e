import { isPrivateName } from '../values/publicLookup.js';
import { providers } from './providers.js';
import type { SourceKind } from './source.js';

/** Ports that WordPress calls; it refuses all others. */
const portsOfWordPress = new Set(['', '80', '443', '8080']);

/** Says in one sentence why a provider cannot call the URL of its source. Null where nothing is known against it. */
export function describeReach(kind: SourceKind, sourceUrl: string): string | null {
  const { name } = providers[kind];
  const url = new URL(sourceUrl);
  const { protocol, port } = url;
  if (isPrivateName(url))
    return `${name} cannot call this URL, because ${url.hostname} is on this machine or in a private network. Set PUBLIC_URL to the server's public address.`;
  if (kind !== 'woocommerce' && protocol !== 'https:')
    return `${name} calls URLs with https:// only. Set PUBLIC_URL to the server's address with https://.`;
  if (kind === 'woocommerce' && !portsOfWordPress.has(port))
    return `WooCommerce calls the ports 80, 443 and 8080 only, not ${port}. Set PUBLIC_URL to an address with one of them.`;
  return null;
}
