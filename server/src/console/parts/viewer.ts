import type { Context } from 'hono';
import { rememberResults } from '../../values/boundedMap.js';

/** Time, time zone and language of the person who views a page. */
export interface Viewer {
  now: Date;
  /** The shop's IANA time zone; `UTC` on pages without a team. */
  zone: string;
  /** A language tag for numbers, money and dates. The words of pages are English. */
  locale: string;
}

/** Number of browsers' `Accept-Language` texts that are cached. */
const textsCached = 1_000;

/**
 * Creates the viewer of a request, in the zone UTC, which a team's page replaces. The language is the one that `Accept-Language` prefers.
 * Invalid ones and those that Node does not know are skipped; it is `en` if none is left.
 */
export function readViewer(c: Context, now: Date): Viewer {
  return {
    now,
    zone: 'UTC',
    locale: localeOf((c.req.header('accept-language') ?? '').slice(0, 255)),
  };
}

/** Finds the language that the browser prefers, among those that Node knows (RFC 9110, section 12.5.4). */
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

/** Number of formats that are cached. Creating one takes 50 us, and the viewer chooses language and zone. */
const formatsCached = 500;

/** Returns the number format of a language. */
export const numberFormat = remember(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

/** Returns the date format of a language. In English, the day comes first and times have 24 hours, which all readers know. */
export const dateFormat = remember((locale, options: Intl.DateTimeFormatOptions) => {
  return new Intl.DateTimeFormat(/^en\b/.test(locale) ? 'en-GB' : locale, options);
});

function remember<Options, Format>(make: (locale: string, options: Options) => Format) {
  const formats = rememberResults(formatsCached, (key) => {
    const [locale, options] = JSON.parse(key) as [string, Options];
    return make(locale, options);
  });
  return (locale: string, options: Options) => formats(JSON.stringify([locale, options]));
}
