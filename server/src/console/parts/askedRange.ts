import { addMonths, type Day, dayOf, readDay, startOfMonth, writeDay } from './calendar.js';
import { type Here, makeRange, type Range, type RangeName, rangeOfDays, rangeTitles } from './range.js';

/** Parameters of an address that choose a range, as they were sent. */
export interface AskedRange {
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The longest custom range. Its figures are those of as many days, and of as many before. */
const yearsAtMost = 5;

/**
 * Reads the parameters of a range. `from` and `to` are days such as `2026-11-01`, the last one included, and count where
 * `range` is `custom` or is absent; without `to` the range ends today.
 * @returns the range, null where none is asked for; and a sentence for the viewer where the parameters name none, or one
 * that is not shown as a whole
 */
export function readRange(
  { range: name, from = '', to = '' }: AskedRange,
  here: Here,
): { range: Range | null; note: string | null } {
  if (name === 'custom' || (name === undefined && from + to !== '')) return readCustom(from, to, here);
  return { range: name && isPreset(name) ? makeRange(name, here) : null, note: null };
}

function isPreset(name: string): name is Exclude<RangeName, 'custom'> {
  return name !== 'custom' && Object.hasOwn(rangeTitles, name);
}

function readCustom(from: string, to: string, here: Here): { range: Range | null; note: string | null } {
  const none = (note: string) => ({ range: null, note });
  const today = dayOf(here.now, here.zone);
  if (from === '') return none('Choose the first day of the range.');
  const [first, asked] = [readDay(from), to === '' ? today : readDay(to)];
  if (first === null || asked === null) {
    const wrong = first === null ? from : to;
    return none(`“${wrong.slice(0, 40)}” is not a day of the calendar. Write days as ${writeDay(today)}.`);
  }
  if (first > today) return none('The range begins in the future.');
  if (first > asked) return none('The first day of the range is after the last one.');
  if (first < 0) return none('The range begins before 1970. There are no orders of that time.');
  const last = Math.min(asked, today);
  if (last >= addMonths(first, 12 * yearsAtMost))
    return none(`A range is at most ${yearsAtMost} years long.`);
  const range = rangeOfDays('custom', { first, last, months: wholeMonths(first, last) }, here);
  if (range.span.from >= range.span.to) return none(`${here.zone} left out the day ${writeDay(first)}.`);
  return { range, note: asked > today ? 'The days after today are left out.' : null };
}

/** Counts the months that some days are; undefined where they are no whole ones. */
function wholeMonths(first: Day, last: Day): number | undefined {
  if (startOfMonth(first) !== first || startOfMonth(last + 1) !== last + 1) return undefined;
  let months = 1;
  while (addMonths(first, months) <= last) months++;
  return months;
}

/** Writes the parameters that choose a range; none for no range. */
export function rangeParameters(range: Range | null): Record<string, string> {
  if (range === null) return {};
  const { name, first, last } = range;
  return name === 'custom' ? { range: name, from: writeDay(first), to: writeDay(last) } : { range: name };
}
