import { rememberResults } from '../../values/boundedMap.js';

/** Formats that are cached. To make one takes 50 us, and the viewer chooses language and zone. */
const formatsCached = 500;

/** Returns the number format of a language. */
export const numberFormat = remember(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

/** Returns the date format of a language. Dates in English have the day first and 24 hours, which all its readers read. */
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
