import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ipv6Network } from '../values/addresses.js';
import { rememberResults } from '../values/boundedMap.js';

/** Names the client of a request, as `clientBucket` does. */
export type ClientOf = (incoming: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** Some 150 bytes each. To normalise an address took 3 % of an order's CPU time. */
const addressesRemembered = 10_000;

/**
 * Makes the function that names the client of a request.
 * @param trustedProxies proxies in front that are believed in `X-Forwarded-For`
 */
export function createClientOf(trustedProxies: number): ClientOf {
  const bucketOf = rememberResults(addressesRemembered, clientBucket);
  return function clientOf({ headers, socket }) {
    const forwardedFor = headers['x-forwarded-for'] as string | undefined;
    return bucketOf(clientAddress(socket.remoteAddress ?? '', forwardedFor, trustedProxies));
  };
}

/**
 * Finds the address of the client behind `trustedProxies` proxies. Each of them appended the address that it saw to
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
 * Returns the text that one client is counted by: its IPv4 address, or the /64 of its IPv6 address. A client would otherwise
 * have a new address for every request.
 */
export function clientBucket(address: string): string {
  const plain = withoutPort(address).replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv6(plain) ? ipv6Network(plain) : shortCopy(plain);
}

/** Copies the address, because V8 keeps a whole header in memory as long as a part of it: 100,000 of 8 kB were 800 MB. */
function shortCopy(address: string): string {
  return Buffer.from(address.slice(0, addressCharacters)).toString();
}
