import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  displayDomain,
  displayHost,
  entriesAllowing,
  hostOfUrl,
  normaliseHost,
  parseDomainEntry,
  parseNewDomainEntry,
} from '../../../src/core/teams/domains.js';
import { growthOf } from '../../kit/growthOf.js';

/** Decides on a header and a team's entries as the server does, without a database. */
function isAllowed(header: string, ...entries: string[]): boolean {
  const host = hostOfUrl(header);
  return host !== null && entriesAllowing(host).some((entry) => entries.includes(entry));
}

describe('an allowed domain', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['  Shop.EXAMPLE ', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['shop.example:8443', 'shop.example'],
    ['shop.example:', 'shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['shop。example', 'shop.example'],
    ['localhost', 'localhost'],
    ['my_shop.example', 'my_shop.example'],
    ['*.shop.example', '*.shop.example'],
    ['*.Bücher.example.', '*.xn--bcher-kva.example'],
    ['127.0.0.1:3000', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[::1]:8080', '[::1]'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
  ])('%j is kept as %s', (text, entry) => {
    expect(parseDomainEntry(text)).toEqual({ entry });
  });

  it.each([
    ['', /not a host name/],
    ['.', /not a host name/],
    ['.shop.example', /not a host name/],
    ['shop..example', /not a host name/],
    ['shop.example..', /not a host name/],
    ['-shop.example', /not a host name/],
    ['shop example', /not a host name/],
    ['shop.example:eighty', /not a host name/],
    ['shop.example:70000', /not a host name/],
    ['sh%6Fp.example', /not a host name/],
    ['1.2.3.4.5', /not a host name/],
    ['[::1', /not a host name/],
    [`${'a.'.repeat(127)}example`, /not a host name/],
    ['ann@shop.example', /not a host name/],
    ['https://shop.example/thanks?id=1', /without scheme and path: shop\.example$/],
    ['HTTPS://Shop.example', /without scheme and path: shop\.example$/],
    ['ftp://shop.example', /without scheme and path$/],
    ['//shop.example', /without scheme and path: shop\.example$/],
    ['shop.example/thanks', /without scheme and path: shop\.example$/],
    ['shop.example?from=mail', /without scheme and path: shop\.example$/],
    ['::1', /in brackets: \[::1\]$/],
    ['2001:db8::5', /in brackets: \[2001:db8::5\]$/],
    ['*', /star is allowed only at the start/],
    ['*shop.example', /star is allowed only at the start/],
    ['shop.*', /star is allowed only at the start/],
    ['*.*.example', /star is allowed only at the start/],
    ['*.', /not a host name/],
    ['*.127.0.0.1', /no subdomains/],
    ['*.[::1]', /no subdomains/],
  ])('%j is refused with a hint', (text, hint) => {
    expect(parseDomainEntry(text)).toEqual({ hint: expect.stringMatching(hint) });
  });

  it.each([
    'com',
    'COM.',
    '*.com',
    'co.uk',
    '*.co.uk',
    'myshopify.com',
    '*.github.io',
    'рф',
    'xn--p1ai',
    '公司.cn',
  ])('is not the public suffix %s, below which anyone can register a host', (text) => {
    expect(parseNewDomainEntry(text)).toEqual({
      hint: expect.stringMatching(/^anyone can register a host below/),
    });
    // An entry of an older release can still be removed.
    expect(parseDomainEntry(text)).toEqual({ entry: expect.any(String) });
  });

  it.each([
    'shop.com',
    '*.shop.co.uk',
    'ann.myshopify.com',
    'localhost',
    '*.test',
    'intranet',
    '10.0.0.1',
    '[::1]',
  ])('may be %s', (text) => {
    expect(parseNewDomainEntry(text)).toEqual({ entry: text });
  });

  it('that was normalised once stays the same when normalised again, and so does its form in lists', () => {
    const letter = fc.constantFrom(...'abcXYZ019-_.*[]:äßé日。 /@%\u00ad\u200b');
    let kept = 0;
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 12 }), (text) => {
        const parsed = parseDomainEntry(text);
        if (!('entry' in parsed)) return;
        kept++;
        expect(parseDomainEntry(parsed.entry)).toEqual(parsed);
        expect(parseDomainEntry(displayDomain(parsed.entry).split(' ')[0]!)).toEqual(parsed);
      }),
      { numRuns: 3000 },
    );
    expect(kept).toBeGreaterThan(100);
  });
});

describe('a page', () => {
  it.each([
    ['https://shop.example', true],
    ['http://shop.example', true],
    ['https://shop.example:8443', true],
    ['https://SHOP.example', true],
    ['https://shop.example.', true],
    ['https://www.shop.example', true],
    ['https://shop.example/thanks?x=@evil.example#evil', true],
    ['https://www.www.shop.example', false],
    ['https://eu.shop.example', false],
    ['https://notshop.example', false],
    ['https://shop.example.evil.example', false],
    ['https://evil.example/shop.example', false],
    ['https://evil.example#shop.example', false],
    ['https://evil.example\\@shop.example', false],
    ['https://shop.example@evil.example', false],
    ['https://ann@shop.example', false],
    ['https://:secret@shop.example', false],
    ['https://shop.example..', false],
    ['https://xn--shop-.example', false],
    ['ftp://shop.example', false],
    ['chrome-extension://shop.example', false],
    ['blob:https://shop.example/1', false],
    ['//shop.example', false],
    ['shop.example', false],
    ['null', false],
    ['', false],
  ])('%j reports for shop.example: %s', (header, expected) => {
    expect(isAllowed(header, 'shop.example')).toBe(expected);
  });

  it('has a host of at most 253 characters, and a path of any length', () => {
    const host = `${'a.'.repeat(120)}shop.example`;
    expect(hostOfUrl(`https://${host}.:65535/${'x'.repeat(16_000)}`)).toBe(host);
    expect(hostOfUrl(`https://${'a.'.repeat(121)}shop.example`)).toBe(null);
  });

  it('is told in a time that does not grow with the length of its host or its path', () => {
    /** Makes different characters, for which punycode takes the longest. */
    const characters = (count: number) =>
      Array.from({ length: count }, (_, n) => encodeURIComponent(String.fromCodePoint(0x4e00 + n))).join('');
    for (const textOf of [
      (n: number) => `https://${characters(n)}.example`,
      (n: number) => `https://shop.example/${'ß'.repeat(9 * n)}`,
    ])
      expect(growthOf(hostOfUrl, textOf, 1_700)).toBeLessThan(4);
  });

  it.each([
    ['https://a.shop.example', ['*.shop.example'], true],
    ['https://a.b.c.shop.example', ['*.shop.example'], true],
    ['https://shop.example', ['*.shop.example'], false],
    ['https://evilshop.example', ['*.shop.example'], false],
    ['https://shop.example.evil.example', ['*.shop.example'], false],
    ['https://bücher.example', ['xn--bcher-kva.example'], true],
    ['http://[::1]:8080', ['[::1]'], true],
    ['http://[0:0::1]', ['[::1]'], true],
    ['http://127.0.0.1:3000', ['127.0.0.1'], true],
    ['http://2130706433', ['127.0.0.1'], true],
    ['http://127.0.0.1', ['*.0.0.1'], false],
    ['https://shop.example', [], false],
    ['null', ['null'], false],
    ['capacitor://localhost', ['capacitor://localhost'], true],
    ['ionic://localhost', ['capacitor://localhost', 'localhost'], false],
    ['capacitor://app.shop.example', ['*.shop.example', 'shop.example'], false],
    ['Tauri://LocalHost', ['tauri://localhost'], true],
    ['file://', ['file://'], false],
    ['file:///thanks.html', ['localhost'], false],
  ])('%j reports for %j: %s', (header, entries, expected) => {
    expect(isAllowed(header, ...entries)).toBe(expected);
  });

  it('is looked up by its own name first, so that the most exact entry decides', () => {
    expect(entriesAllowing('www.eu.shop.example')).toEqual([
      'www.eu.shop.example',
      'eu.shop.example',
      '*.eu.shop.example',
      '*.shop.example',
      '*.example',
    ]);
  });

  it('has a host that normalising again does not change', () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        const host = hostOfUrl(`https://${name}:8443/thanks`);
        if (host !== null) expect(normaliseHost(host)).toBe(host);
      }),
    );
  });
});

it.each([
  ['shop.example', 'shop.example', 'shop.example'],
  ['xn--bcher-kva.example', 'bücher.example', 'bücher.example (xn--bcher-kva.example)'],
  // All letters are Cyrillic, and look like Latin letters.
  [
    'xn--80ak6aa92e.example',
    'аррӏе.example (xn--80ak6aa92e.example)',
    'аррӏе.example (xn--80ak6aa92e.example)',
  ],
  [
    '*.xn--80ak6aa92e.example',
    '*.аррӏе.example (*.xn--80ak6aa92e.example)',
    '*.аррӏе.example (*.xn--80ak6aa92e.example)',
  ],
  // One letter is of another script.
  ['xn--shp-ted.example', 'shоp.example (xn--shp-ted.example)', 'shоp.example (xn--shp-ted.example)'],
])('%s as a domain of a team and as a host of anybody shows what it is', (entry, domain, host) => {
  expect([displayDomain(entry), displayHost(entry)]).toEqual([domain, host]);
});
