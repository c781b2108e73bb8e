import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses.js';

/** Looks up the addresses of a host. Rejects, or resolves with an empty list, if there are none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** Limits a look-up to public addresses. Rejects with the code `PRIVATE_ADDRESS` if a host has only private ones. */
export function publicOnly(resolve: Resolve = resolveByDns): Resolve {
  const isPublic = ({ address }: LookupAddress) => isPublicAddress(address);
  return async (host) => {
    const found = await resolve(host);
    if (found.length && !found.some(isPublic)) throw codedError('PRIVATE_ADDRESS');
    return found.filter(isPublic);
  };
}

/**
 * Creates the look-up of a connection. The address that was checked is the one that is connected to, even if a later look-up would
 * return another.
 */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (host, _options, callback) => {
    resolve(host).then(
      (addresses) => callback(addresses.length ? null : codedError('ENOTFOUND'), addresses),
      (error) => callback(error, []),
    );
  };
}

/**
 * Asks the name servers directly. The system's look-up would occupy one of the process' four threads, for as long as the slowest
 * name server takes. A new resolver knows the current name servers.
 */
async function resolveByDns(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
  return [
    ...addressesOf(ipv4).map((address) => ({ address, family: 4 })),
    ...addressesOf(ipv6).map((address) => ({ address, family: 6 })),
  ];
}

function addressesOf(result: PromiseSettledResult<string[]>): string[] {
  return result.status === 'fulfilled' ? result.value : [];
}

/** Creates an error with a code, as Node's own errors have. */
export function codedError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
