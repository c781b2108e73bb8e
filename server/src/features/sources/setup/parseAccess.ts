import { parseUrl, withoutEndSlashes } from '../../../values/url.js';
import { providers } from '../providers.js';
import type { ShopAccess, ShopSource } from '../source.js';

/**
 * Reads a shop's address and its API key as a person entered them. Returns a hint if one is invalid.
 * @param given.shopUrl may be empty if the provider has one address for all shops
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

/** Hint for an API key that reads only tests, for a source whose orders are live. */
export const testKeyHint =
  'this key is of the test mode, and this source is live: enter the key of the live mode, or add a source whose orders are tests';
