import { dayMs } from './timeUnits.js';

const recentMs = 6 * dayMs;
const common = { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' } as const;
const recent = new Intl.DateTimeFormat('en-GB', { ...common, weekday: 'long' });
const older = new Intl.DateTimeFormat('en-GB', { ...common, day: 'numeric', month: 'long', year: 'numeric' });

/** A past time in a sentence: `Tuesday 14:05 UTC` within the last six days, else `3 November 2026 at 14:05 UTC`. */
export function tellTime(time: Date, now: Date): string {
  const isRecent = now.getTime() - time.getTime() < recentMs;
  return `${(isRecent ? recent : older).format(time)} UTC`;
}
