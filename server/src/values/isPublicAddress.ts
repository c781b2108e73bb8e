import { BlockList, isIPv4 } from 'node:net';

/** Addresses that the public internet does not route to one host (IANA, IPv4 Special-Purpose Address Registry). */
const specialIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** All that is assigned to public hosts. IPv4-mapped addresses and NAT64 lie outside, whatever they lead to. */
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);

/** Exceptions (IANA, IPv6 Special-Purpose Address Registry): protocols, Teredo among them; documentation; 6to4. */
const specialIpv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** True for an address of a host on the public internet. False for all others, and for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address);
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', networks: [address: string, bits: number][]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, family);
  return list;
}
