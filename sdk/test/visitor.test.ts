import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BrowserApis } from '../src/browser';
import { openStorage } from '../src/storage';
import { openVisitor } from '../src/visitor';
import { openPage } from './page';

afterEach(() => {
  vi.unstubAllGlobals();
});

const openFields = (isOff = false) =>
  openVisitor(globalThis as unknown as BrowserApis, openStorage(globalThis), isOff);

/** Makes the key of a call at a time. */
const keyAt = (ms: number) => `orderbeacon:${ms.toString(36)}0`;

/** Opens the visitor. The function that it returns gives only the id. */
const open = (isOff = false) => {
  const visitor = openFields(isOff);
  return (consent?: '0' | '1') => visitor(consent, keyAt(Date.now())).visitorId;
};

/** Replaces the page's cookies with a jar that refuses these domains, as browsers refuse public suffixes. */
function jarRefusing(...domains: string[]) {
  const written: string[] = [];
  const jar: Record<string, string> = {};
  Object.defineProperty(document, 'cookie', {
    get: () => Object.values(jar).join('; '),
    set: (text: string) => {
      if (text.startsWith('ob_visitor')) written.push(text);
      const domain = /;domain=([^;]+)/.exec(text)?.[1];
      if (domain !== undefined && domains.includes(domain)) return;
      const [cookie] = text.split(';');
      const [name] = cookie!.split('=');
      if (/max-age=-1/.test(text)) delete jar[name!];
      else jar[name!] = cookie!;
    },
  });
  return written;
}

test('the same visitor has the same id on every page, in cookie and storage, written on the first alone', () => {
  openPage('https://shop.example/');
  const id = open()();
  expect(id).toMatch(/^\w{9,64}$/);
  const written = vi.spyOn(localStorage, 'setItem');
  expect(open()()).toBe(id);
  expect(written).not.toHaveBeenCalled();
  expect(document.cookie).toContain(`ob_visitor=${id}`);
  expect(localStorage.getItem('ob_visitor')).toBe(id);
});

test('cookie and storage restore each other', () => {
  openPage('https://shop.example/');
  const id = open()();
  localStorage.clear();
  expect(open()()).toBe(id);
  // biome-ignore lint/suspicious/noDocumentCookie: as a page would.
  document.cookie = 'ob_visitor=;max-age=-1;domain=shop.example;path=/';
  expect(document.cookie).not.toContain('ob_visitor');
  expect(open()()).toBe(id);
  expect(document.cookie).toContain(`ob_visitor=${id}`);
});

test.each([
  ['https://www.shop.example/', ['shop.example']],
  ['https://a.b.shop.co.uk/', ['co.uk', 'shop.co.uk']],
  ['http://shop.localhost/', ['shop.localhost']],
])('on %s the cookie is for the shortest domain that the browser takes', (url, domains) => {
  openPage(url);
  const written = jarRefusing('co.uk');
  open()();
  expect(written.map((cookie) => /;domain=([^;]+)/.exec(cookie)?.[1])).toEqual(domains);
});

test.each(['http://localhost/', 'http://[::1]/'])('on %s no domain is tried', (url) => {
  openPage(url);
  const written = jarRefusing();
  open()();
  expect(written).toHaveLength(1);
  expect(written[0]).not.toContain('domain');
});

test('the cookie lives 400 days, is SameSite=Lax, and Secure on https alone', () => {
  openPage('https://shop.example/');
  const secure = jarRefusing();
  open()();
  expect(secure[0]).toContain(';path=/;samesite=lax;max-age=34560000;domain=shop.example;secure');
  openPage('http://shop.example/');
  const insecure = jarRefusing();
  open()();
  expect(insecure[0]).not.toContain('secure');
});

test('without consent the id is erased everywhere and stays away, with it there is a new one', () => {
  openPage('https://shop.example/');
  const id = open()();
  expect(open()('0')).toBeUndefined();
  expect(document.cookie).toBe('ob_consent=0');
  expect(localStorage.getItem('ob_visitor')).toBeNull();
  expect(open()()).toBeUndefined();
  const renewed = open()('1');
  expect(renewed).toBeDefined();
  expect(renewed).not.toBe(id);
});

test('a storage that does not remove what it has gives no id without consent', () => {
  openPage('https://shop.example/');
  open()();
  vi.spyOn(localStorage, 'removeItem').mockImplementation(() => {});
  expect(open()('0')).toBeUndefined();
});

test('the decision is shared by sub-domains, and the cookie counts over what one of them has stored', () => {
  openPage('https://www.shop.example/');
  open()('1');
  // biome-ignore lint/suspicious/noDocumentCookie: as checkout.shop.example would, whose cookies these pages share.
  document.cookie = 'ob_consent=0;domain=shop.example;path=/';
  expect(open()()).toBeUndefined();
  expect(localStorage.getItem('ob_consent')).toBe('0');
});

const longAgo = Date.UTC(2026, 0);
test.each<[string, string, '0' | '1', number, boolean]>([
  ['a yes from before the no', `0${(longAgo + 1).toString(36)}`, '1', longAgo, false],
  ['a yes from after the no', `0${longAgo.toString(36)}`, '1', longAgo + 1, true],
  ['a no from before the yes: in doubt it is no', '1', '0', longAgo - 1, false],
  ['a no from after the yes', '1', '0', longAgo + 1, false],
  ['a yes after a no of a release that kept no time', '0', '1', longAgo, true],
  ['a yes after a no whose clock was ahead', `0${(2 * Date.now()).toString(36)}`, '1', longAgo, true],
])('%s, which a stub has kept, counts unless a later no stands', (_, decided, given, ms, isKept) => {
  openPage('https://shop.example/');
  localStorage.setItem('ob_consent', decided);
  if (decided === '1') localStorage.setItem('ob_visitor', `${longAgo.toString(36)}5`);
  expect(openFields()(given, keyAt(ms)).visitorId !== undefined).toBe(isKept);
});

test('a decision that the storage alone has counts, and goes into the cookie', () => {
  openPage('https://shop.example/');
  localStorage.setItem('ob_consent', '0');
  expect(open()()).toBeUndefined();
  expect(document.cookie).toBe('ob_consent=0');
});

test('a call reads the cookies once, and once more where it writes some: browsers ask another process for them', () => {
  openPage('https://shop.example/');
  let [reads, cookie] = [0, ''];
  const get = () => {
    reads++;
    return cookie;
  };
  const set = (text: string) => {
    cookie = [cookie, text.split(';')[0]].filter(Boolean).join('; ');
  };
  Object.defineProperty(document, 'cookie', { get, set });
  open()();
  expect(reads).toBe(2);
  open()();
  expect(reads).toBe(3);
});

test('a cookie of the shop whose name ends like ours is not taken for it', () => {
  openPage('https://shop.example/');
  // biome-ignore lint/suspicious/noDocumentCookie: as a page would.
  document.cookie = 'job_visitor=foreign;path=/';
  expect(open()()).not.toBe('foreign');
});

test.each([
  ['data-visitor="off" keeps no id and erases none', true, {}, 'anOldVisitor'],
  ['Global Privacy Control erases the id', false, { globalPrivacyControl: true }, null],
])('%s, unless consent was given', (_, isOff, navigator, left) => {
  openPage('https://shop.example/', navigator);
  expect(open(isOff)()).toBeUndefined();
  expect([document.cookie, localStorage.length]).toEqual(['', 0]);
  localStorage.setItem('ob_visitor', 'anOldVisitor');
  expect(open(isOff)()).toBeUndefined();
  expect(localStorage.getItem('ob_visitor')).toBe(left);
  const id = open(isOff)('1');
  expect(id).toBeDefined();
  expect(open(isOff)()).toBe(id);
});

test('a frame that may touch neither cookie nor storage has no id and nothing is thrown', () => {
  openPage('https://shop.example/');
  Object.defineProperty(document, 'cookie', {
    get: () => {
      throw new Error('SecurityError');
    },
  });
  vi.stubGlobal('localStorage', null);
  expect(open()()).toBeUndefined();
});

describe('landings', () => {
  const readable = (landings: string | undefined) =>
    landings?.split('.').map((text) => atob(text).replace(/^\d+/, 'time'));
  /** Opens a new document at a URL, with the cookies and the storage of those before. */
  function land(url: string, referrer = '') {
    const [cookies, stored] = [document.cookie, { ...localStorage }];
    openPage(url);
    for (const cookie of cookies.split('; ')) {
      // biome-ignore lint/suspicious/noDocumentCookie: as the browser would keep it.
      if (cookie) document.cookie = `${cookie};path=/;domain=shop.example`;
    }
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value as string);
    Object.defineProperty(document, 'referrer', { value: referrer });
    return openFields()();
  }
  const start = () => openPage('https://shop.example/');

  test('the first one and the last one with a campaign are kept; a bare referrer replaces neither', () => {
    start();
    land(
      'https://www.shop.example/sale?utm_source=newsletter&utm_campaign=spring',
      'https://mail.example/inbox?user=1',
    );
    expect(land('https://shop.example/', 'https://pay.example/').landings).not.toContain('.');
    land('https://shop.example/shoes?color=red&gclid=Cj0KCQ&utm_medium=cpc#top', 'https://www.google.com/');
    const { landings } = land('https://checkout.shop.example/thanks?order=7', 'https://pay.example/return');
    expect(readable(landings)).toEqual([
      'time mail.example ?utm_source=newsletter,&utm_campaign=spring /sale',
      'time www.google.com &gclid=,&utm_medium=cpc /shoes',
    ]);
  });

  test.each(['utm_nooverride=1', 'utm_expid=.4pXq&utm_referrer=', 'utm_id=7', 'utm_reader=feed'])(
    'a page with ?%s, which names no campaign, replaces none',
    (query) => {
      start();
      land('https://shop.example/?UTM_Source=letter');
      const { landings } = land(`https://shop.example/thanks?${query}`, 'https://pay.example/return');
      expect(readable(landings)).toEqual(['time undefined ?UTM_Source=letter /']);
    },
  );

  test('the parameters of a link whose ampersands were escaped for HTML are kept', () => {
    start();
    const { landings } = land('https://shop.example/?utm_source=a&amp;utm_medium=b&amp;gclid=1&amp;page=2');
    expect(readable(landings)).toEqual(['time undefined ?utm_source=a,;utm_medium=b,;gclid= /']);
  });

  test('nothing of the query but campaigns leaves the page, and no value of a click id', () => {
    start();
    const query =
      'email=ann@shop.example&xref=1&my_utm_source=2&token=3&fbclid=IwAR0&msclkid=4&wbraid=5&ref=partner';
    const { landings } = land(
      `https://shop.example/?${query}#access_token=6`,
      'https://a.example:8443/b?c=d',
    );
    expect(readable(landings)).toEqual(['time a.example:8443 &fbclid=,&msclkid=,&wbraid=,&ref=partner /']);
  });

  test.each([
    ['/', '/'],
    ['/en-gb/products/blue-shirt/reviews/7', '/en-gb/products/blue-shirt'],
    ['/sale/2026', '/sale'],
    ['/caf%C3%A9/%D0%BE%D0%B1%D1%83%D0%B2%D1%8C', '/caf%C3%A9/%D0%BE%D0%B1%D1%83%D0%B2%D1%8C'],
    ['/order/ann@shop.example/thanks', '/order'],
    ['/order/ann%40shop.example', '/order'],
    ['/login/eyJhbGciOiJIUzI1NiJ9.e30.abc', '/login'],
    ['/reset/0f8fad5b-d9cb-469f-a165-70867728950e/new', '/reset'],
  ])('of the path %s the part %s is kept: three names at most, up to a digit or an @', (path, kept) => {
    start();
    expect(readable(land(`https://shop.example${path}`).landings)).toEqual([`time undefined  ${kept}`]);
  });

  test.each([
    ['?ref=ann@shop.example&utm_source=a', '&utm_source=a'],
    ['?utm_source=a&utm_term=ann%40shop.example', '?utm_source=a'],
    ['?utm_source=foo%bar&utm_campaign=caf%E9', '?utm_source=foo%bar,&utm_campaign=caf%E9'],
    ['?li_fat_id=1&epik=2&ScCid=3&accid=4&epika=5', '?li_fat_id=,&epik=,&ScCid='],
    ['?rdt_cid=1&clickid=2&click_id=3&irclickid=4', '?rdt_cid=,&clickid=,&click_id=,&irclickid='],
    ['?awc=1&cjevent=2&gad_source=1&sscid=3&mc_cid=4', '?awc=,&cjevent=,&gad_source=,&sscid=,&mc_cid='],
    ['?cid=1&client_id=2&orderid=3&lawc=4&gad=5', ''],
    ['?ref=ob_live_0a1b2c3d4e5f6g7h8i9j&utm_source=a', '&utm_source=a'],
    ['?ref=wc_order_58d2d042d1d', ''],
    ['?ref=0f8fad5b-d9cb-469f-a165-70867728950e', ''],
    ['?ref=blackfriday-sale-2026', '?ref=blackfriday-sale-2026'],
  ])('of the parameters %s those are kept: %s', (query, kept) => {
    start();
    expect(readable(land(`https://shop.example/${query}`).landings)).toEqual([`time undefined ${kept} /`]);
  });

  test.each([
    ['shop.example', 'shop.example', false],
    ['shop.example', 'www.shop.example', false],
    ['checkout.shop.example', 'www.shop.example', false],
    ['shop.example', 'blog.shop.example', false],
    ['shop.example', 'mybestshop.example', true],
    ['shop.co.uk', 'partner.co.uk', true],
    ['shop.example', undefined, true],
  ])('on %s a ref of a link of %s counts: %s', (host, from, counts) => {
    start();
    land('https://shop.example/?utm_source=newsletter');
    const { landings } = land(`https://${host}/sale?ref=menu`, from && `https://${from}/`);
    expect(readable(landings)!.at(-1)).toContain(counts ? '?ref=menu' : '?utm_source=newsletter');
  });

  test('a landing is cut, so that a long link cannot make the shop refuse its cookies', () => {
    start();
    const { landings } = land(`https://shop.example/?utm_source=${'x'.repeat(9_000)}`);
    expect(landings).toHaveLength(400);
    expect(document.cookie).toContain(`ob_landings=${landings}`);
  });

  test('its cookie holds no text that a firewall could take for an attack', () => {
    start();
    land('https://shop.example/?utm_source=<script>alert(1)</script>&ref=%27%20or%201=1;--');
    expect(document.cookie).toMatch(/^ob_landings=[\w+/]+=*; ob_visitor=\w+$/);
  });

  test('are erased with the id, and begin again with a new consent', () => {
    start();
    land('https://shop.example/?utm_source=a');
    const visitor = openFields();
    expect(visitor('0', keyAt(Date.now()))).toEqual({});
    expect([document.cookie, localStorage.getItem('ob_landings')]).toEqual(['ob_consent=0', null]);
    expect(readable(visitor('1', keyAt(Date.now())).landings)).toEqual(['time undefined ?utm_source=a /']);
  });
});
