import { isIPv6 } from 'node:net';

/**
 * The address of the client behind `trustedProxies` proxies: each of them appended the address that it saw
 * to `X-Forwarded-For`, so the entry that counts is that many from the right. Whatever stands left of it a
 * client may have written itself.
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

/** No address is longer; but a header of a proxy that is not there can hold anything. */
const addressCharacters = 64;

/** The port that some proxies write behind an address, and the brackets that they need for it (RFC 7239, section 6). */
const withoutPort = (address: string) => address.replace(/^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/, '$1$2');

/**
 * What one client is counted by: an IPv4 address, or the /64 of an IPv6 one, which is the least that a
 * provider hands out (RFC 6177), so that a client has no new address for every request.
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

/** V8 keeps the whole header in memory for as long as a part of it is remembered: 100,000 of 8 kB were 800 MB. */
function shortCopy(address: string): string {
  return Buffer.from(address.slice(0, addressCharacters)).toString();
}
