import type { BrowserApis } from './browser';
import type { OrderReport } from './contract';
import { readLanding } from './landing';
import { newId } from './newId';
import { keyPrefix, type TextStorage } from './storage';

/** The fields of a report that describe the visitor. */
type VisitorFields = Pick<OrderReport, 'visitorId' | 'landings'>;

/**
 * Returns the visitor id and this visitor's landings. Makes an id if the visitor has none. If they may not be stored,
 * erases them and returns no field.
 * @param consent the visitor's decision, which is stored: `1` means yes, `0` and its time no
 * @param key the key of the call with the decision; a call that is older than a stored no is ignored
 */
export type Visitor = (consent?: string, key?: string) => VisitorFields;

/** 400 days, the longest that browsers keep a cookie (draft-ietf-httpbis-rfc6265bis, 5.5). */
const maxAgeSeconds = 34_560_000;

/**
 * Opens the visitor id, its landings and the consent. Each is stored in a cookie, which sub-domains share, and in
 * localStorage. The cookie takes precedence. If one of the two is missing, it is restored from the other. If the visitor has
 * not decided, Global Privacy Control means that the id is not stored.
 * @param isOff stores and erases nothing while the visitor has not decided, because another tag of the site may store
 */
export function openVisitor(
  browser: Pick<BrowserApis, 'Date' | 'Math' | 'crypto' | 'document' | 'location' | 'navigator'>,
  storage: TextStorage,
  isOff: boolean,
): Visitor {
  /** The page's cookies as last read. Browsers ask another process for them, so each call reads them once. */
  let cookies = '';
  const readCookie = (name: string) => `; ${cookies}`.split(`; ${name}=`)[1]?.split(';')[0] ?? '';
  const read = (name: string) => readCookie(name) || storage._read(name) || '';

  const text = readLanding(browser);

  return (given, key) => {
    try {
      cookies = browser.document.cookie;
      const known = read('ob_visitor');
      // `1`, or `0` and the time: released scripts read everything but `1` as no.
      let consent = read('ob_consent');
      // The keys of calls sort by time. A decision in the future was stored while the clock was wrong.
      const decided = keyPrefix + consent.slice(1);
      if (given && (key! >= decided || decided > keyPrefix + newId(browser))) consent = given;
      if (!consent && isOff) return {};
      const isKept = consent ? consent === '1' : !browser.navigator.globalPrivacyControl;
      // Base64: firewalls block requests whose cookies look like an attack, and anybody can write one into a link.
      const landing = btoa(text);
      const before = read('ob_landings') || landing;
      const landings =
        text.split(' ')[2] && before !== landing ? `${before.split('.')[0]}.${landing}` : before;
      const entries = [
        ['ob_consent', consent],
        ['ob_landings', isKept ? landings : ''],
        ['ob_visitor', isKept ? known || newId(browser) : ''],
      ] as const;
      // Writes only values that differ: it is of no use to renew a cookie of 400 days on each page.
      for (const [name, value] of entries) if (storage._read(name) !== value) storage._write(name, value);
      // Stores the cookies at the shortest domain that the browser accepts, `shop.example` before `www.shop.example`. Browsers
      // refuse public suffixes such as `co.uk`. The cookies themselves are tried, so no test cookie is left behind. A top-level
      // domain is never tried, because some consoles warn about those.
      const labels = browser.location.hostname.split('.');
      for (let at = labels.length; at--; ) {
        const differing = entries.filter(([name, value]) => readCookie(name) !== value);
        for (const [name, value] of differing) {
          const domain = at ? `;domain=${labels.slice(at - 1).join('.')}` : '';
          // `https:` has a sixth character, `http:` has not.
          const secure = browser.location.protocol[5] ? ';secure' : '';
          const maxAge = value ? maxAgeSeconds : -1;
          browser.document.cookie = `${name}=${value};path=/;samesite=lax;max-age=${maxAge}${domain}${secure}`;
        }
        if (differing[0]) cookies = browser.document.cookie;
      }
      // Reads it back, because an id that was not stored is useless.
      const visitorId = isKept && read('ob_visitor');
      if (visitorId) return { visitorId, landings };
    } catch {
      // Cookies throw in sandboxed frames.
    }
    return {};
  };
}
