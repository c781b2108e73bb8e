import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { rememberResults } from '../../values/boundedMap.js';

/** Time, time zone and language of the person who views a page. */
export interface Viewer {
  now: Date;
  /** An IANA time zone; `UTC` until the page's script has stored the browser's. */
  zone: string;
  /** A language tag for numbers, money and dates; the pages' words are English. */
  locale: string;
}

/** The cookie in which the page's script keeps the browser's time zone. It holds nothing secret. */
const zoneCookie = 'orderbeacon_zone';

/** Zones and languages of browsers that are cached. */
const textsCached = 1_000;

/** Reads the time zone from its cookie and the language from `Accept-Language`. Invalid values count as absent. */
export function readViewer(c: Context, now: Date): Viewer {
  return {
    now,
    zone: zoneOf((getCookie(c, zoneCookie) ?? '').slice(0, 64)),
    locale: localeOf((c.req.header('accept-language') ?? '').slice(0, 255)),
  };
}

const zoneOf = rememberResults(textsCached, (timeZone) => {
  if (timeZone === '') return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
});

/** Finds the language that the browser prefers among those that Node knows (RFC 9110, section 12.5.4). */
const localeOf = rememberResults(textsCached, (accepted) => {
  const languages = accepted.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    return { tag, weight: Number(weight ?? 1) };
  });
  languages.sort((one, other) => other.weight - one.weight);
  for (const { tag, weight } of languages) if (weight > 0 && isKnown(tag)) return tag;
  return 'en';
});

function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
