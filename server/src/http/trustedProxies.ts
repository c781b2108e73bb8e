import { BlockList, isIP } from 'node:net';
import { rememberResults } from '../values/boundedMap.js';

/** Proxies in front that are believed in `X-Forwarded-For`: their number, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/** The number of proxies, or a test for the address of one. */
type Trust = number | ((address: string) => boolean);

/** As many as `createClientOf` remembers. */
const addressesRemembered = 10_000;

/** Makes the test for the address of a proxy of a list. */
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
 * Finds the address of the client behind trusted proxies. With a number the entry that counts is that many from the right of
 * `X-Forwarded-For`, whichever way the request came. With addresses it is the first from the right that is no proxy's, so that
 * ways through different numbers of proxies are all right. The client may have written everything to the left of it.
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

/** Proxies of a request, as `doctor` compares them. */
export interface SeenProxies {
  /** Addresses in `X-Forwarded-For`. */
  seen: number;
  /** Proxies that are believed: the set number, or those of a list that the request came through. */
  trusted: number;
  /** True for a list. */
  isList: boolean;
}

/** Counts the proxies of a request. With a list `trusted` is one more than `seen` if the client itself is on it. */
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
 * Takes off the port that some proxies write behind an address, its brackets (RFC 7239, section 6), and what an IPv6 socket puts
 * before an IPv4 one.
 */
export const plainAddress = (address: string) =>
  address.replace(/^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/, '$1$2').replace(/^::ffff:(?=\d+\.)/, '');
