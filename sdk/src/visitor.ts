import { newId } from './newId';
import { safely } from './safely';
import type { TextStorage } from './storage';

/** The browser's visitor, as far as it may be known. */
export interface Visitor {
  /** The persisted id, made when there is none. Undefined where it may not be kept. */
  id(): string | undefined;
  /** Remembers the visitor's own decision; what is not true erases the id. */
  consent(given: unknown): void;
}

const name = 'ob_visitor';
const consentKey = 'ob_consent';

/** 400 days, the longest that browsers keep a cookie (draft-ietf-httpbis-rfc6265bis, 5.5). */
const maxAgeSeconds = 34_560_000;

/**
 * Opens the visitor id, kept in a cookie, which sub-domains share, and in localStorage; each restores the
 * other. Without a decision of the visitor it is not kept where Global Privacy Control is on.
 * @param isOff not kept without consent either
 */
export function openVisitor(storage: TextStorage, isOff: boolean): Visitor {
  const readCookie = () => safely(() => /\bob_visitor=(\w{9,64})\b/.exec(document.cookie)?.[1]);

  /**
   * Tries from the shortest name up, `shop.example` before `www.shop.example`: browsers refuse public suffixes
   * such as `co.uk`. It tries with the cookie itself, so nothing is left behind, and never with a bare
   * top-level domain or part of an address, which some consoles warn of.
   */
  const writeCookie = (id: string | undefined) =>
    safely(() => {
      const { hostname, protocol } = location;
      const labels = hostname.split('.');
      for (let at = /[a-z]$/.test(hostname) ? labels.length - 2 : -1; ; at--) {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not everywhere.
        document.cookie = `${name}=${id};path=/;samesite=lax;max-age=${id ? maxAgeSeconds : 0}${
          at < 0 ? '' : `;domain=${labels.slice(at).join('.')}`
        }${protocol === 'https:' ? ';secure' : ''}`;
        if (at < 0 || readCookie() === id) break;
      }
    });

  const id = () => {
    const consent = storage.read(consentKey);
    const known = readCookie();
    const kept = Number(consent ?? !(isOff || navigator.globalPrivacyControl))
      ? (known ?? storage.read(name) ?? newId())
      : undefined;
    if (kept) storage.write(name, kept);
    else storage.remove(name);
    // Only what is missing is written: an age that were renewed on each page would change nothing.
    if (known !== kept) writeCookie(kept);
    return kept;
  };

  return {
    id,
    consent(given) {
      storage.write(consentKey, given === true ? '1' : '0');
      id();
    },
  };
}
