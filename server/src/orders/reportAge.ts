import { dayMs } from '../values/timeUnits.js';

/** The script gives up after this time. */
const ageMsAtMost = 3 * dayMs;
/** The script's `reportId` begins with the time of the call, in base 36. It has eight digits until the year 2059. */
const calledAt = /^orderbeacon:([\da-z]{8})/;

/**
 * Tells how long ago a page made the call of its report, in milliseconds, by the difference of two times of its own clock: that
 * of the call, in the `reportId`, and that of the try, which is the query of the address. 0 where one of them is missing, or the
 * clock was set by more than 72 h in between.
 * @param url as in the request line
 */
export function reportAgeMs(url: string, reportId: string | undefined): number {
  const [, called] = calledAt.exec(reportId ?? '') ?? [];
  const sentMs = Number(url.slice(url.indexOf('?') + 1));
  const ageMs = called === undefined ? 0 : sentMs - Number.parseInt(called, 36);
  return ageMs > 0 && ageMs <= ageMsAtMost ? ageMs : 0;
}
