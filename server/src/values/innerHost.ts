import { isPrivateHost } from './addresses.js';
import { isPrivateName } from './publicLookup.js';

/** Names without a dot, and below names that networks of their own use (RFC 6762, appendix G; RFC 8375; RFC 6761). */
const innerName =
  /^[^.]+$|\.(?:corp|home|home\.arpa|internal|intranet|invalid|lan|local|localdomain|localhost|private|test)$/;

/** True for an address or a name that is on this machine or in a private network, as far as can be seen from it. */
export function isInnerHost(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return isPrivateName(url) || isPrivateHost(host) || (!host.startsWith('[') && innerName.test(host));
}

/** Says why nobody outside can call the server's address. Null where nothing is known against it. */
export function describeInner(caller: string, url: URL): string | null {
  if (!isInnerHost(url)) return null;
  return `${caller} cannot call this URL, because ${url.hostname} is on this machine or in a private network. Set PUBLIC_URL to the server's public address.`;
}
