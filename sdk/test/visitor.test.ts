import { afterEach, expect, test, vi } from 'vitest';
import type { BrowserApis } from '../src/browser';
import { openStorage } from '../src/storage';
import { openVisitor } from '../src/visitor';
import { openPage } from './page';

afterEach(() => {
  vi.unstubAllGlobals();
});

const open = (isOff = false) =>
  openVisitor(globalThis as unknown as BrowserApis, openStorage(globalThis), isOff);

/** Replaces the page's cookies with a jar that refuses those domains, as browsers refuse public suffixes. */
function jarRefusing(...domains: string[]) {
  const written: string[] = [];
  let jar = '';
  Object.defineProperty(document, 'cookie', {
    get: () => jar,
    set: (text: string) => {
      written.push(text);
      const domain = /;domain=([^;]+)/.exec(text)?.[1];
      if (domain === undefined || !domains.includes(domain))
        jar = /max-age=-1/.test(text) ? '' : text.split(';')[0]!;
    },
  });
  return written;
}

test('the same visitor has the same id on every page, in cookie and storage', () => {
  openPage('https://shop.example/');
  const id = open()();
  expect(id).toMatch(/^\w{9,64}$/);
  expect(open()()).toBe(id);
  expect(document.cookie).toBe(`ob_visitor=${id}`);
  expect(localStorage.getItem('ob_visitor')).toBe(id);
});

test('cookie and storage restore each other', () => {
  openPage('https://shop.example/');
  const id = open()();
  localStorage.clear();
  expect(open()()).toBe(id);
  // biome-ignore lint/suspicious/noDocumentCookie: as a page would.
  document.cookie = 'ob_visitor=;max-age=-1;domain=shop.example;path=/';
  expect(document.cookie).toBe('');
  expect(open()()).toBe(id);
  expect(document.cookie).toBe(`ob_visitor=${id}`);
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

test.each(['http://localhost/', 'http://127.0.0.1/', 'http://[::1]/'])('on %s no domain is tried', (url) => {
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

test('a decision that version 0.1.0 has stored counts, and goes into the cookie', () => {
  openPage('https://shop.example/');
  localStorage.setItem('ob_consent', '0');
  expect(open()()).toBeUndefined();
  expect(document.cookie).toBe('ob_consent=0');
});

test('a cookie of the shop whose name ends like ours is not taken for it', () => {
  openPage('https://shop.example/');
  // biome-ignore lint/suspicious/noDocumentCookie: as a page would.
  document.cookie = 'job_visitor=foreign;path=/';
  expect(open()()).not.toBe('foreign');
});

test.each([
  ['data-visitor="off"', true, {}],
  ['Global Privacy Control', false, { globalPrivacyControl: true }],
])('%s erases the id, unless consent was given', (_, isOff, navigator) => {
  openPage('https://shop.example/', navigator);
  localStorage.setItem('ob_visitor', 'anOldVisitor');
  expect(open(isOff)()).toBeUndefined();
  expect(localStorage.getItem('ob_visitor')).toBeNull();
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
