import { isIPv6 } from 'node:net';

/**
 * Address of the client behind `trustedProxies` proxies. Each of them appended the address that it saw to
 * `X-Forwarded-For`, so the entry that counts is that many from the right. The client may have written everything to the
 * left of it.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || !forwardedFor) return socketAddress;
  const addresses = forwardedFor.split(',').map((address) => address.trim());
  return addresses.at(-trustedProxies) ?? addresses[0]!;
}

/** No address is longer. Without the proxy that should be there, the header can hold anything. */
const addressCharacters = 64;

/** Takes off the port that some proxies write behind an address, and its brackets (RFC 7239, section 6). */
const withoutPort = (address: string) => address.replace(/^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/, '$1$2');

/**
 * Text that one client is counted by: its IPv4 address, or the /64 of its IPv6 address, which is the least that a
 * provider hands out (RFC 6177). A client would otherwise have a new address for every request.
 */
export function clientBucket(address: string): string {
  const plain = withoutPort(address).replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain)) return shortCopy(plain);
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array(zeros).fill('0'), ...right]
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Copies the address, because V8 keeps a whole header in memory as long as a part of it: 100,000 of 8 kB were 800 MB. */
function shortCopy(address: string): string {
  return Buffer.from(address.slice(0, addressCharacters)).toString();
}
