import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';

/** Time zone and number format of the person who views a page. */
export interface Viewer {
  /** An IANA time zone; `UTC` until the page's script has stored the browser's. */
  zone: string;
  /** A language tag for numbers; the pages' words are English. */
  locale: string;
}

/** The cookie in which the page's script keeps the browser's time zone. It holds nothing secret. */
const zoneCookie = 'orderbeacon_zone';

/** Reads the time zone from its cookie and the language from `Accept-Language`. Invalid values count as absent. */
export function readViewer(c: Context): Viewer {
  const language = c.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim();
  const zoneOf = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  return {
    zone: resolve(getCookie(c, zoneCookie), zoneOf) ?? 'UTC',
    locale: resolve(language, (tag) => new Intl.NumberFormat(tag).resolvedOptions().locale) ?? 'en',
  };
}

/** The canonical name of a zone or language; undefined for a text that names none. */
function resolve(text: string | undefined, read: (text: string) => string): string | undefined {
  if (!text || text.length > 64) return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}
