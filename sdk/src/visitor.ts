import type { BrowserApis } from './browser';
import { newId } from './newId';
import type { TextStorage } from './storage';

/**
 * The persisted visitor id, made when there is none; undefined where it may not be kept, and then erased.
 * @param consent the visitor's own decision, remembered: `1` is yes
 */
export type Visitor = (consent?: '0' | '1') => string | undefined;

/** 400 days, the longest that browsers keep a cookie (draft-ietf-httpbis-rfc6265bis, 5.5). */
const maxAgeSeconds = 34_560_000;

/**
 * Opens the visitor id and the decision, each kept in a cookie, which sub-domains share, and in localStorage. The
 * cookie counts; where one of the two is missing, the other restores it. Without a decision the id is not kept
 * where Global Privacy Control is on.
 * @param isOff not kept without consent either
 */
export function openVisitor(
  browser: Pick<BrowserApis, 'Date' | 'Math' | 'crypto' | 'document' | 'location' | 'navigator'>,
  storage: TextStorage,
  isOff: boolean,
): Visitor {
  const readCookie = (name: string) => new RegExp(`(^|; )${name}=(\\w+)`).exec(browser.document.cookie)?.[2];

  /**
   * Tries from the shortest name up, `shop.example` before `www.shop.example`: browsers refuse public suffixes
   * such as `co.uk`. It tries with the cookie itself, so nothing is left behind, and never with a bare
   * top-level domain or part of an address, which some consoles warn of.
   */
  const writeCookie = (name: string, value: string | undefined) => {
    const { hostname, protocol } = browser.location;
    const labels = hostname.split('.');
    let at = /\d$/.test(hostname) ? 0 : labels.length - 1;
    do {
      const domain = at > 0 ? `;domain=${labels.slice(at - 1).join('.')}` : '';
      const secure = protocol === 'https:' ? ';secure' : '';
      const maxAge = value ? maxAgeSeconds : -1;
      browser.document.cookie = `${name}=${value};path=/;samesite=lax;max-age=${maxAge}${domain}${secure}`;
    } while (readCookie(name) !== value && at-- > 0);
  };

  const read = (name: string) => readCookie(name) ?? storage.read(name) ?? undefined;

  /** Writes only what differs: an age that is renewed on each page would change nothing. */
  const write = (name: string, value: string | undefined) => {
    if (readCookie(name) !== value) writeCookie(name, value);
    if (storage.read(name) !== value) storage.write(name, value);
  };

  return (given) => {
    try {
      const consent = given ?? read('ob_consent');
      if (consent) write('ob_consent', consent);
      const isKept = consent ? consent === '1' : !isOff && !browser.navigator.globalPrivacyControl;
      const id = isKept ? (read('ob_visitor') ?? newId(browser)) : undefined;
      write('ob_visitor', id);
      // Read again: where nothing can be kept, an id is worth nothing.
      return id && read('ob_visitor');
    } catch {
      // Cookies throw in sandboxed frames.
    }
  };
}
