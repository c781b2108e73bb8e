import { once } from '../../../values/once.js';

const english = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** Languages of month names besides English. */
const languages = 'de fr es it pt nl sv da nb fi pl cs sk hu ro hr sl tr el ru uk bg et lv lt ca id'.split(
  ' ',
);
const lettersAtLeast = 3;

/**
 * Finds a month's number by its name, or by three or more letters from its start. English comes first, then the
 * languages of most shops. Returns 0 for another word, or one that is two months in two languages, such as `listopada`.
 */
export function monthOf(word: string): number {
  const key = keyOf(word);
  if (key.length < lettersAtLeast) return 0;
  return english.findIndex((name) => name.startsWith(key)) + 1 || (listNames().get(key) ?? 0);
}

/** Maps names of months, and all their beginnings, to their numbers. */
const listNames = once(() => {
  // German spreadsheets abbreviate März like this.
  const months = new Map([['mrz', 3]]);
  // With a day, some languages use another case: `mája`, not `máj`.
  for (const language of languages)
    for (const style of ['long', 'short'] as const)
      for (const day of ['numeric', undefined] as const) {
        const format = new Intl.DateTimeFormat(language, { month: style, day, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 15));
          const key = keyOf(parts.find(({ type }) => type === 'month')?.value ?? '');
          for (let end = lettersAtLeast; end <= key.length; end++) {
            const name = key.slice(0, end);
            months.set(name, (months.get(name) ?? month) === month ? month : 0);
          }
        }
      }
  return months;
});

/** Returns the letters without accents, in lower case. */
function keyOf(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}
