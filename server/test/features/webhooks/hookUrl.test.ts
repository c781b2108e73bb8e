import { describe, expect, it } from 'vitest';
import { parseHookUrl } from '../../../src/features/webhooks/hookUrl.js';
import { isPublicAddress } from '../../../src/values/addresses.js';

const isPublic = { allowsPrivate: false };
const isPrivate = { allowsPrivate: true };

describe('the URL of a hook', () => {
  it.each([
    ['https://shop.example/hooks', 'https://shop.example/hooks'],
    ['  https://Shop.Example \n', 'https://shop.example/'],
    ['https://shop.example:8443/a?token=x#part', 'https://shop.example:8443/a?token=x'],
    ['https://größe.example/ä', 'https://xn--gre-6ka8i.example/%C3%A4'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1]/', 'https://[2606:4700::1]/'],
  ])('%j is taken as %s', (text, url) => {
    expect(parseHookUrl(text, isPublic)).toEqual({ url });
  });

  it('with an umlaut is also taken once V8 has compiled the parser', { tags: ['all'] }, () => {
    for (let n = 0; n < 200_000; n++) parseHookUrl('https://shop.example/', isPublic);
    expect(parseHookUrl('https://größe.example/', isPublic)).toEqual({
      url: 'https://xn--gre-6ka8i.example/',
    });
  });

  it.each([
    ['', 'a URL is needed'],
    ['shop.example/hooks', 'a URL is needed'],
    ['https:shop.example', 'a URL is needed'],
    ['https://', 'a URL is needed'],
    ['https://sh op.example', 'a URL is needed'],
    ['https://shop.ex\nample', 'a URL is needed'],
    ['https://shop.example/\0', 'a URL is needed'],
    ['https://shop.example/\ud800/a b', 'a URL is needed'],
    ['http://shop.example', 'must begin with https://'],
    ['ftp://shop.example', 'must begin with https://'],
    ['javascript://shop.example/%0aalert(1)', 'must begin with https://'],
    ['https://ann@shop.example', 'no user name and password'],
    ['https://ann:pw@shop.example', 'no user name and password'],
    ['http://10.0.0.1/', 'the command "hook add --allow-private" takes one of your own network'],
    [
      'https://localhost/',
      'localhost is a private address; the command "hook add --allow-private" takes one',
    ],
    ['https://a.localhost./', 'is a private address'],
    ['https://127.0.0.1/', 'is a private address'],
    ['https://2130706433/', '127.0.0.1 is a private address'],
    ['https://0x7f.1/', '127.0.0.1 is a private address'],
    ['https://0177.0.0.1/', '127.0.0.1 is a private address'],
    ['https://169.254.169.254/latest', 'is a private address'],
    ['https://[::ffff:127.0.0.1]/', 'is a private address'],
    ['https://[fd00::1]/', 'is a private address'],
  ])('%j is refused with the reason', (text, reason) => {
    expect(parseHookUrl(text, isPublic)).toEqual({ hint: expect.stringContaining(reason) });
  });

  it('has at most 2,000 characters, percent-encoded', () => {
    const longest = `https://shop.example/${'x'.repeat(1979)}`;
    expect(parseHookUrl(longest, isPublic)).toEqual({ url: longest });
    for (const url of [`${longest}x`, `https://shop.example/${'é'.repeat(400)}`])
      expect(parseHookUrl(url, isPublic)).toEqual({ hint: expect.stringContaining('at most 2000') });
  });

  it('may be plain http and private where private addresses are allowed', () => {
    for (const url of ['http://127.0.0.1:9000/', 'https://localhost/hooks', 'http://[::1]/'])
      expect(parseHookUrl(url, isPrivate)).toEqual({ url });
    for (const url of ['ftp://127.0.0.1/', 'https://ann@localhost/', 'localhost:9000'])
      expect(parseHookUrl(url, isPrivate)).toHaveProperty('hint');
  });
});

it.each([
  '1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.0.1 223.255.255.255',
  '2606:4700::1111 2a00:1450:4001:80e::200e 2001:4860:4860::8888',
])('the addresses %s are public', (addresses) => {
  for (const address of addresses.split(' '))
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

it.each([
  ['this host', '0.0.0.0 ::'],
  ['loopback', '127.0.0.1 127.255.255.255 ::1'],
  ['private', '10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd00:ec2::254 fec0::1'],
  ['of providers’ networks', '100.64.0.1 100.127.255.255'],
  ['link-local', '169.254.169.254 fe80::1 fe80::1%eth0'],
  ['services of clouds', '168.63.129.16 192.0.0.192'],
  [
    'documentation and benchmarks',
    '192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 2001:db8::1 3fff::1',
  ],
  [
    'multicast, broadcast and reserved',
    '224.0.0.1 240.0.0.1 255.255.255.255 ff02::1 100::1 5f00::1 2001:10::1',
  ],
  ['IPv4 in IPv6', '::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1'],
  ['ways to IPv4', '64:ff9b::7f00:1 64:ff9b:1::a00:1 2001::1 2002:7f00:1:: 192.88.99.1'],
  ['none at all', 'shop.example 1.1.1.1/8 1.1.1'],
])('no address is public that is %s', (_, addresses) => {
  for (const address of addresses.split(' '))
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
});
