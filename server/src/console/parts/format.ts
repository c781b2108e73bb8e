import { dayMs, hourMs, minuteMs } from '../../values/time.js';
import { type Day, dayOf, startOfDay, yearOf } from './calendar.js';
import type { BucketLength } from './range.js';
import { dateFormat, numberFormat, type Viewer } from './viewer.js';

/**
 * Formats money in the viewer's language, from its exact text. Codes that are no currency of ISO 4217's three letters, such
 * as USDC, follow the number.
 */
export function formatMoney(amount: string, currency: string, { locale }: Viewer): string {
  const exact = amount as `${number}`;
  if (currency.length !== 3) return `${formatNumber(exact, { locale })} ${currency}`;
  const inCurrency = { style: 'currency', currency } as const;
  const { maximumFractionDigits = 2 } = numberFormat(locale, inCurrency).resolvedOptions();
  // If there are more digits than the currency has, all are shown: a stored amount is not rounded.
  const digits = Math.min(20, Math.max(maximumFractionDigits, exact.split('.')[1]?.length ?? 0));
  return numberFormat(locale, { ...inCurrency, maximumFractionDigits: digits }).format(exact);
}

/** Formats money as `formatMoney` does, without decimals if they are 0: `$170`. */
export function formatShortMoney(amount: string, currency: string, viewer: Viewer): string {
  const isWhole = !/[.]0*[1-9]/.test(amount);
  if (currency.length !== 3 || !isWhole) return formatMoney(amount, currency, viewer);
  const whole = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  return numberFormat(viewer.locale, whole).format(amount as `${number}`);
}

/** Formats sums, and the number of other currencies: `$170`, `€5.00`, `and 2 other currencies`. */
export function formatSums(
  sums: readonly { currency: string; amount: string }[],
  otherCurrencies: number,
  viewer: Viewer,
): string[] {
  const money = sums.map(({ currency, amount }) => formatMoney(amount, currency, viewer));
  if (otherCurrencies === 0) return money;
  return [...money, `and ${counted(otherCurrencies, 'other currency', viewer, 'other currencies')}`];
}

/** Formats a number in the viewer's language. */
export function formatNumber(value: number | `${number}`, { locale }: Pick<Viewer, 'locale'>): string {
  return numberFormat(locale, { maximumFractionDigits: 20 }).format(value);
}

/** Formats a number with its noun: `1 order`, `2 orders`, `2 currencies` by `counted(2, 'currency', viewer, 'currencies')`. */
export function counted(number: number, one: string, viewer: Viewer, many = `${one}s`): string {
  return `${formatNumber(number, viewer)} ${number === 1 ? one : many}`;
}

/** Returns the name of a mode, as in `live` orders, `test` orders. */
export const modeText = (isTest: boolean): 'live' | 'test' => (isTest ? 'test' : 'live');

/** Formats an average of money, rounded to its currency's digits. Less than one is rounded to two significant digits. */
export function formatAverage(amount: number, currency: string, { locale }: Viewer): string {
  const isCode = currency.length === 3;
  const number = numberFormat(locale, {
    ...(isCode ? { style: 'currency', currency } : { maximumFractionDigits: 2 }),
    ...(amount < 1 && { maximumSignificantDigits: 2 }),
  }).format(amount);
  return isCode ? number : `${number} ${currency}`;
}

/** Formats a share as a percentage, with at most one decimal. */
export function formatShare(share: number, { locale }: Viewer): string {
  return numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** Formats a change as a whole percentage, without its sign. */
export function formatChange(change: number, { locale }: Pick<Viewer, 'locale'>): string {
  const format = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'never' } as const;
  return numberFormat(locale, format).format(change);
}

// Dates are in English, as all words of the console: day first, and 24 hours.

const write = (time: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat('en', { timeZone, ...options }).format(time);

const clock = { hour: '2-digit', minute: '2-digit' } as const;
const date = { day: 'numeric', month: 'short' } as const;
const wholeDate = { ...date, year: 'numeric' } as const;

/** Formats a time: `Today 14:02`, `Yesterday 14:02`, `1 May, 14:02`, or `1 May 2025, 14:02` of another year, without its zone. */
export function formatTime(time: Date, { zone, now }: Viewer): string {
  const [day, today] = [dayOf(time, zone), dayOf(now, zone)];
  const word = { [today]: 'Today', [today - 1]: 'Yesterday' }[day];
  if (word !== undefined) return `${word} ${write(time, zone, clock)}`;
  const days = yearOf(day) === yearOf(today) ? date : wholeDate;
  return write(time, zone, { ...clock, ...days });
}

/** Formats a time to the second, with the name of its zone: `1 May 2026, 14:02:07 CEST`. */
export function formatExactTime(time: Date, { zone }: Viewer): string {
  return write(time, zone, { ...wholeDate, ...clock, second: '2-digit', timeZoneName: 'short' });
}

/** Formats a past time within a sentence, as `formatTime` does: `today 14:02`, `yesterday 14:02`, `1 May, 14:02`. */
export function formatSince(time: Date, now: Date, viewer: Viewer): string {
  return formatTime(time, { ...viewer, now }).replace(/^[TY]/, (letter) => letter.toLowerCase());
}

const month = { month: 'short', year: 'numeric' } as const;

const bucketDates = {
  hour: { ...date, ...clock },
  day: { weekday: 'short', ...date },
  month,
} as const satisfies Record<BucketLength, Intl.DateTimeFormatOptions>;

/** Formats the name of a bucket: `1 May, 14:00`, `Fri, 1 May`, or `May 2026`. */
export function formatBucket(from: Date, by: BucketLength, { zone }: Viewer): string {
  return write(from, zone, bucketDates[by]);
}

const bucketMarks = { hour: clock, day: date, month } as const satisfies Record<
  BucketLength,
  Intl.DateTimeFormatOptions
>;

/** Formats the name of a bucket on the axis of the chart: `14:00`, `1 May`, or `May 2026`. */
export function formatBucketMark(from: Date, by: BucketLength, { zone }: Viewer): string {
  return write(from, zone, bucketMarks[by]);
}

/** Formats a range of days, the last one included: `1–31 Oct 2026`. */
export function formatDays(first: Day, last: Day): string {
  const format = dateFormat('en', { timeZone: 'UTC', ...wholeDate });
  return format.formatRange(startOfDay(first, 'UTC'), startOfDay(last, 'UTC'));
}

const spans = [
  ['d', dayMs],
  ['h', hourMs],
  ['min', minuteMs],
  ['s', 1000],
] as const;

/** Formats a duration in its largest whole unit: `9 h`. */
export function formatSpan(ms: number): string {
  const [unit, unitMs] = spans.find(([, unitMs]) => ms >= unitMs) ?? spans[3];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit}`;
}
