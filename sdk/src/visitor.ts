import type { BrowserApis } from './browser';
import type { OrderReport } from './contract';
import { readLanding } from './landing';
import { newId } from './newId';
import type { TextStorage } from './storage';

/** The fields of a report that tell of the visitor. */
type VisitorFields = Pick<OrderReport, 'visitorId' | 'landings'>;

/**
 * Returns the visitor id and this visitor's landings, and makes an id if there is none. If they may not be stored,
 * erases them and returns no field.
 * @param consent the visitor's decision, which is stored: `1` means yes
 */
export type Visitor = (consent?: '0' | '1') => VisitorFields;

/** 400 days, the longest that browsers keep a cookie (draft-ietf-httpbis-rfc6265bis, 5.5). */
const maxAgeSeconds = 34_560_000;

/**
 * Opens the visitor id, its landings and the consent. Each is stored in a cookie, which sub-domains share, and in
 * localStorage. The cookie takes precedence. If one of the two is missing, it is restored from the other. Without a decision, Global
 * Privacy Control means that the id is not stored.
 * @param isOff stores no id without consent
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

  /**
   * Writes the values that differ. Renewing a cookie of 400 days on each page is of no use.
   *
   * Sets the cookies for the shortest domain that the browser accepts, `shop.example` before `www.shop.example`.
   * Browsers refuse public suffixes such as `co.uk`. It tries with the cookies themselves, so no test cookie is left
   * behind. It never tries a top-level domain, because some consoles warn about those.
   */
  const write = (entries: [name: string, value: string][]) => {
    for (const [name, value] of entries) if (storage._read(name) !== value) storage._write(name, value);
    const { hostname, protocol } = browser.location;
    const labels = hostname.split('.');
    for (let at = labels.length; at--; ) {
      const differing = entries.filter(([name, value]) => readCookie(name) !== value);
      for (const [name, value] of differing) {
        const domain = at ? `;domain=${labels.slice(at - 1).join('.')}` : '';
        const secure = protocol === 'https:' ? ';secure' : '';
        const maxAge = value ? maxAgeSeconds : -1;
        browser.document.cookie = `${name}=${value};path=/;samesite=lax;max-age=${maxAge}${domain}${secure}`;
      }
      if (differing[0]) cookies = browser.document.cookie;
    }
  };

  const [text, parameters] = readLanding(browser);

  return (given) => {
    try {
      cookies = browser.document.cookie;
      const consent = given || read('ob_consent');
      const isKept = consent ? consent === '1' : !(isOff || browser.navigator.globalPrivacyControl);
      const known = read('ob_visitor');
      // Base64, because firewalls block requests whose cookies look like an attack, and anybody can write one into a link.
      const landing = btoa(text);
      const before = read('ob_landings') || landing;
      const landings = parameters && before !== landing ? `${before.split('.')[0]}.${landing}` : before;
      write([
        ['ob_consent', consent],
        ['ob_landings', isKept ? landings : ''],
        ['ob_visitor', isKept ? known || newId(browser) : ''],
      ]);
      // Read back, because an id that was not stored is useless.
      const visitorId = isKept && read('ob_visitor');
      if (visitorId) return { visitorId, landings };
    } catch {
      // Cookies throw in sandboxed frames.
    }
    return {};
  };
}
