import type { CsvRow } from '../../../values/csvFile.js';
import { columnKey } from '../../../values/csvHeads.js';
import { FileError } from '../../../values/errors.js';
import type { ChosenColumns } from './chooseColumns.js';
import { readId } from './readId.js';

/** @returns true for a repeated head line, as of a second file with the same columns, or for Excel's hint `sep=` */
export function isHeadAgain(cells: readonly string[], { at, head }: ChosenColumns): boolean {
  const isSame = ([index]: readonly number[]) =>
    index === undefined || readId(cells[index] ?? '') === readId(head[index]!);
  return (isSame(at.orderId) && isSame(at.amount)) || /^\uFEFF?"?sep=/i.test(cells[0]!);
}

/** Refuses a head line of a second file. @throws FileError if its columns are in other positions */
export function refuseOtherHead({ cells, line }: CsvRow, { at, head }: ChosenColumns): void {
  const heads = new Set(cells.map(columnKey));
  if ([at.orderId, at.amount].every(([index]) => heads.has(columnKey(head[index!]!))))
    throw new FileError(
      `Line ${line} is another head line, with other columns. Compare the two files by themselves.`,
    );
}
