import { FileError } from '../../../values/errors.js';
import type { ChosenColumns, NamedColumns } from './chooseColumns.js';
import { fileFields } from './knownColumns.js';
import { isDateLike, isNoDate } from './readDate.js';

/** Refuses a file whose date column has no known name. The user names the column or leaves it out. */
export class UnnamedDates extends FileError {}

const headsNamed = 5;

/**
 * Chooses the column of the orders' dates if no column has a known name for it. It is the column of times if its first cells
 * contain dates, or else the column of the payments' dates.
 * @param cellsAt returns the cells of a column in the first rows
 * @throws UnnamedDates if a column that no field uses has dates, because these may be those of the orders
 */
export function settleDates(
  columns: ChosenColumns,
  named: NamedColumns,
  cellsAt: (index: number) => readonly string[],
): ChosenColumns {
  const { at, head, claims } = columns;
  if (named.createdAt !== undefined || at.createdAt.length > 0) return columns;
  if (at.time.some(hasDates)) return { ...columns, at: { ...at, createdAt: at.time, time: [] } };
  const taken = new Set([...fileFields.flatMap((field) => at[field]), ...claims.map((claim) => claim.at)]);
  const unnamed = head.filter((_, index) => !taken.has(index) && hasDates(index));
  if (unnamed.length > 0) {
    const names = unnamed.slice(0, headsNamed).map((name) => `“${name.trim().slice(0, 40)}”`);
    throw new UnnamedDates(
      `No column is known to have the orders’ dates, and ${names.join(', ')} may have them. Name the column of the date, or leave it out.`,
    );
  }
  const paidAt = claims.filter(({ kind }) => kind === 'paid').map((claim) => claim.at);
  return { ...columns, at: { ...at, createdAt: paidAt.filter(hasDates).slice(0, 1) } };

  function hasDates(index: number): boolean {
    const filled = cellsAt(index).filter((cell) => cell !== '' && !isNoDate(cell));
    return filled.filter(isDateLike).length > filled.length / 2;
  }
}
