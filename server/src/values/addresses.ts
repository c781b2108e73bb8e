import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Network of public IPv6 hosts. Mapped, compatible and translated IPv4 addresses are outside of it, wherever they lead. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's own service in each virtual machine. Its address is in a public range. */
const azureService = '168.63.129.16';

/** @returns true for an address of a host on the public internet; false for all others, and for a text that is no address */
export function isPublicAddress(text: string): boolean {
  // Without isIP, "10.1" and "0x7f000001" would be addresses, too.
  if (!isIP(text) || text === azureService) return false;
  const address = ipaddr.parse(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(publicIpv6));
}

/** @returns true for an address of the machine itself, also as an IPv6 socket shows an IPv4 one: `::ffff:127.0.0.1` */
export function isLoopbackAddress(text: string): boolean {
  return isIP(text) !== 0 && ipaddr.process(text).range() === 'loopback';
}

/** @returns true for a host name or address of the machine itself, as in a URL: `localhost`, `*.localhost`, `127.*` or `[::1]` */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(withoutBrackets(host));
}

/** Ranges of the machine itself and of private networks. */
const privateRanges: string[] = ['unspecified', 'loopback', 'private', 'linkLocal', 'uniqueLocal'];

/**
 * @returns true for `localhost`, a name below `.localhost` or `.local`, and an address of the machine itself or of a private
 *   network, as in a URL
 */
export function isPrivateHost(host: string): boolean {
  const address = withoutBrackets(host);
  if (isIP(address)) return privateRanges.includes(ipaddr.parse(address).range());
  return isLoopbackHost(host) || host.endsWith('.local');
}

/** @returns true for an address, or a network such as `10.0.0.0/8`; false for the network of all addresses */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits = '1', ...rest] = text.split('/');
  const version = isIP(address);
  return (
    rest.length === 0 && version > 0 && /^[1-9]\d*$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}

/** Returns the /64 of an IPv6 address as four numbers. It is the smallest network that a provider assigns (RFC 6177). */
export function ipv6Network(address: string): string {
  const { parts } = ipaddr.IPv6.parse(address);
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** @returns true for a private IP address and for a name that always leads to this machine (RFC 6761) */
export function isPrivateName(url: URL): boolean {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(address) ? !isPublicAddress(address) : /(?:^|\.)localhost\.?$/.test(url.hostname);
}

/** Matches names without a dot, and names below those reserved for private networks (RFC 6762, appendix G; RFC 8375; RFC 6761). */
const innerName =
  /^[^.]+$|\.(?:corp|home|home\.arpa|internal|intranet|invalid|lan|local|localdomain|localhost|private|test)$/;

/** @returns true for an address or a name that is recognizably on this machine or in a private network */
export function isInnerHost(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return isPrivateName(url) || isPrivateHost(host) || (!host.startsWith('[') && innerName.test(host));
}

/** Explains that callers outside cannot reach the server's address; null if nothing is known against it. */
export function describeInner(caller: string, url: URL): string | null {
  if (!isInnerHost(url)) return null;
  return `${caller} cannot reach this server: ${url.host} is on this machine or in a private network. Whoever runs the server sets PUBLIC_URL to its public address.`;
}
