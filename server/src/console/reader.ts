import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';

/** How the person who reads a page writes times and numbers. */
export interface Reader {
  /** An IANA time zone; `UTC` until the page's script has told the browser's. */
  zone: string;
  /** A language tag for numbers; the pages' words are English. */
  locale: string;
}

/** The cookie that the page's script keeps the browser's time zone in. It holds nothing secret. */
const zoneCookie = 'orderbeacon_zone';

/** Reads the time zone from its cookie and the language from `Accept-Language`; what is not valid counts as absent. */
export function readReader(c: Context): Reader {
  const language = c.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim();
  const zoneOf = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  return {
    zone: resolve(getCookie(c, zoneCookie), zoneOf) ?? 'UTC',
    locale: resolve(language, (tag) => new Intl.NumberFormat(tag).resolvedOptions().locale) ?? 'en',
  };
}

/** The one way to write what the text names; undefined for what names nothing. */
function resolve(text: string | undefined, read: (text: string) => string): string | undefined {
  if (!text || text.length > 64) return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}
