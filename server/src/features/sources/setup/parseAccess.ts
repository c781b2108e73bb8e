import { parseUrl, withoutEndSlashes } from '../../../values/url.js';
import { providers } from '../providers.js';
import type { ShopAccess, ShopSource } from '../source.js';

/**
 * Reads the address of a shop and the key of its API as they were entered. Returns a hint for a text that cannot be one.
 * @param given.shopUrl ignored where the provider has one address for all shops, unless private addresses are allowed
 */
export function parseAccess(
  { kind, isTest }: Pick<ShopSource, 'kind' | 'isTest'>,
  given: { shopUrl: string; apiKey: string; allowsPrivate: boolean },
): { access: ShopAccess } | { hint: string } {
  const { name, api } = providers[kind];
  const { allowsPrivate } = given;
  const apiKey = given.apiKey.trim();
  if (!api.isKey.test(apiKey)) return { hint: `the API key of ${name} has the form ${api.keyForm}` };
  if (!isTest && api.isTestKey?.(apiKey)) return { hint: testKeyHint };
  const text = given.shopUrl.trim();
  if (api.url !== null && text === '') return { access: { shopUrl: null, apiKey, allowsPrivate } };
  const url = parseUrl(text);
  const isRight = url?.protocol === 'https:' || (url?.protocol === 'http:' && allowsPrivate);
  if (!url || !isRight || url.username || url.password || url.search || url.hash)
    return { hint: 'the address of the shop is a URL such as https://shop.example' };
  return { access: { shopUrl: withoutEndSlashes(url.href), apiKey, allowsPrivate } };
}

/** Of a key that names tests alone, for a source whose orders are live. */
export const testKeyHint =
  'this key is of the test mode, and this source is live: enter the key of the live mode, or add a source whose orders are tests';
