import type { LookupAddress } from 'node:dns';
import { expect, it } from 'vitest';
import { publicOnly } from '../../src/values/publicLookup.js';

const of = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });
const look = (...addresses: string[]) => publicOnly(async () => addresses.map(of))('shop.example');

it('of the addresses of a host the public ones alone are found, and with private ones alone it is refused', async () => {
  const inner = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'];
  expect(await look(...inner, '93.184.215.14', '2606:2800:21f::1')).toEqual(
    ['93.184.215.14', '2606:2800:21f::1'].map(of),
  );
  await expect(look(...inner)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  expect(await look()).toEqual([]);
});
