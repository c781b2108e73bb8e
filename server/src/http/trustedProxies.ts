import { BlockList, isIP } from 'node:net';
import { rememberResults } from '../values/boundedMap.js';

/** Proxies in front of the server whose `X-Forwarded-For` is trusted: their number, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/** The number of proxies, or a function that recognizes the address of one. */
type Trust = number | ((address: string) => boolean);

/** Most addresses whose check is cached, as many as `createClientOf` caches. */
const addressesRemembered = 10_000;

/** Creates the function that recognizes the address of a listed proxy. Returns a number unchanged. */
export function trustOf(proxies: TrustedProxies): Trust {
  if (typeof proxies !== 'object') return proxies;
  const list = new BlockList();
  const kind = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  for (const [address = '', bits] of proxies.map((text) => text.split('/'))) {
    if (bits === undefined) list.addAddress(address, kind(address));
    else list.addSubnet(address, Number(bits), kind(address));
  }
  return rememberResults(addressesRemembered, (address) => {
    const plain = plainAddress(address);
    return isIP(plain) > 0 && list.check(plain, kind(plain));
  });
}

/** Lists the addresses in `X-Forwarded-For`. Each proxy appends the address that it sees. */
const forwarded = (header: string | undefined) =>
  (header ?? '').split(',').flatMap((address) => address.trim() || []);

/**
 * Finds the address of the client behind trusted proxies. With a number, it is the entry at that position from the right of
 * `X-Forwarded-For`, whichever way the request came. With addresses, it is the first from the right that is no proxy's, so requests
 * may come through different numbers of proxies. The client may have written everything to the left of it.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: Trust,
): string {
  if (trusted === 0 || !forwardedFor) return socketAddress;
  const addresses = forwarded(forwardedFor);
  if (typeof trusted === 'number') return addresses.at(-trusted) ?? addresses[0] ?? socketAddress;
  return (
    [...addresses, socketAddress].findLast((address) => !trusted(address)) ?? addresses[0] ?? socketAddress
  );
}

/** The proxies of a request, as `doctor` compares them. */
export interface SeenProxies {
  /** Number of addresses in `X-Forwarded-For`. */
  seen: number;
  /** Number of trusted proxies: the configured number, or the listed ones that the request came through. */
  trusted: number;
  /** Set if trusted proxies are a list. */
  isList: boolean;
}

/** Counts the proxies of a request. With a list, `trusted` is one more than `seen` if the client itself is listed. */
export function countProxies(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: Trust,
): SeenProxies {
  const addresses = forwarded(forwardedFor);
  const seen = addresses.length;
  if (typeof trusted === 'number') return { seen, trusted, isList: false };
  const hops = [...addresses, socketAddress];
  return { seen, trusted: seen - hops.findLastIndex((address) => !trusted(address)), isList: true };
}

/**
 * Removes the port that some proxies append to an address, and its brackets (RFC 7239, section 6). Also removes the prefix of an
 * IPv4 address in an IPv6 socket.
 */
export const plainAddress = (address: string) =>
  address.replace(/^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/, '$1$2').replace(/^::ffff:(?=\d+\.)/, '');
