import { newId } from './newId';
import type { TextStorage } from './storage';

/**
 * The persisted visitor id, made when there is none; undefined where it may not be kept.
 * @param consent the visitor's own decision, remembered; false erases the id
 */
export type Visitor = (consent?: boolean) => string | undefined;

/** 400 days, the longest that browsers keep a cookie (draft-ietf-httpbis-rfc6265bis, 5.5). */
const maxAgeSeconds = 34_560_000;

/**
 * Opens the visitor id, kept in a cookie, which sub-domains share, and in localStorage; each restores the
 * other. Without a decision of the visitor it is not kept where Global Privacy Control is on.
 * @param isOff not kept without consent either
 */
export function openVisitor(storage: TextStorage, isOff: boolean): Visitor {
  const readCookie = () => document.cookie.match(/ob_visitor=(\w+)/)?.[1];

  /**
   * Tries from the shortest name up, `shop.example` before `www.shop.example`: browsers refuse public suffixes
   * such as `co.uk`. It tries with the cookie itself, so nothing is left behind, and never with a bare
   * top-level domain or part of an address, which some consoles warn of.
   */
  const writeCookie = (id: string | undefined) => {
    const { hostname, protocol } = location;
    const labels = hostname.split('.');
    let at = /\d$/.test(hostname) ? 0 : labels.length - 1;
    do {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not everywhere.
      document.cookie = `ob_visitor=${id};path=/;samesite=lax;max-age=${id ? maxAgeSeconds : -1}${
        at-- ? `;domain=${labels.slice(at).join('.')}` : ''
      }${protocol[5] ? ';secure' : ''}`;
    } while (readCookie() !== id && at >= 0);
  };

  return (consent) => {
    try {
      if (consent != null) storage.set('ob_consent', consent ? '1' : '0');
      const all = storage.all();
      const known = readCookie();
      const kept = +(all.ob_consent ?? !(isOff || navigator.globalPrivacyControl))
        ? (known ?? all.ob_visitor ?? newId())
        : undefined;
      storage.set('ob_visitor', kept);
      // Only what is missing is written: an age that were renewed on each page would change nothing.
      if (known !== kept) writeCookie(kept);
      return kept;
    } catch {
      // Cookies throw in sandboxed frames.
    }
  };
}
