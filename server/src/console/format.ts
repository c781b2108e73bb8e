import { dateFormat, numberFormat } from './intl.js';
import type { Viewer } from './viewer.js';

/** A time for people, in the viewer's language and zone and with its name: `1 May 2026, 14:02:07 CEST`. */
export function formatTime(time: Date, { locale, zone }: Viewer): string {
  return dateFormat(locale, {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(time);
}

const weekMs = 6 * 86_400_000;

/** Since when something has been so: `Tuesday 14:02 CEST` within the last days, else with its date. */
export function formatSince(time: Date, now: Date, { locale, zone }: Viewer): string {
  const isRecent = now.getTime() - time.getTime() < weekMs;
  const date = isRecent ? { weekday: 'long' } : { day: 'numeric', month: 'short', year: 'numeric' };
  return dateFormat(locale, {
    timeZone: zone,
    ...(date as Intl.DateTimeFormatOptions),
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time);
}

/** The name of a bucket of time: `Fri, 1 May` or `1 May, 14:00`. */
export function formatBucket(from: Date, by: 'hour' | 'day', { locale, zone }: Viewer): string {
  return dateFormat(locale, {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    ...(by === 'hour' ? { hour: '2-digit', minute: '2-digit' } : { weekday: 'short' }),
  }).format(from);
}

/**
 * Money in the viewer's way of writing, from its exact text. Codes that are no currency of ISO 4217's three
 * letters, such as USDC, follow the number.
 */
export function formatMoney(amount: string, currency: string, { locale }: Viewer): string {
  const exact = amount as `${number}`;
  if (currency.length !== 3) return `${formatNumber(exact, { locale })} ${currency}`;
  const inCurrency = { style: 'currency', currency } as const;
  const { maximumFractionDigits = 2 } = numberFormat(locale, inCurrency).resolvedOptions();
  // More digits than the currency has are shown, not rounded: what is stored is what is shown.
  const digits = Math.min(20, Math.max(maximumFractionDigits, exact.split('.')[1]?.length ?? 0));
  return numberFormat(locale, { ...inCurrency, maximumFractionDigits: digits }).format(exact);
}

/** A number in the viewer's way of writing. */
export function formatNumber(value: number | `${number}`, { locale }: Pick<Viewer, 'locale'>): string {
  return numberFormat(locale, { maximumFractionDigits: 20 }).format(value);
}

/** A share as a whole percentage, with a decimal below 1 %. */
export function formatShare(share: number, { locale }: Viewer): string {
  const maximumFractionDigits = share > 0 && share < 0.01 ? 1 : 0;
  return numberFormat(locale, { style: 'percent', maximumFractionDigits }).format(share);
}

const spans = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration in its largest whole unit: `9 h`. */
export function formatSpan(ms: number): string {
  const [unit, unitMs] = spans.find(([, unitMs]) => ms >= unitMs) ?? spans[3];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit}`;
}
