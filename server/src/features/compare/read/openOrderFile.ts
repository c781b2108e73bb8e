import { type CsvRow, cellText, type OpenCsv } from '../../../values/csvFile.js';
import { type ChosenColumns, chooseColumns } from './chooseColumns.js';
import { settleDates } from './dateColumn.js';
import type { ReadOptions, ReadRow } from './fileOrder.js';
import type { FileField } from './knownColumns.js';
import { dateOrderOf } from './readDate.js';
import { areFloats, readId } from './readId.js';
import { createReadRow, firstOf } from './readRow.js';
import { sumItems } from './sumItems.js';

/** An opened order file: its columns, and its rows. */
export interface OrderFile {
  columns: ChosenColumns;
  rows: AsyncGenerator<ReadRow>;
}

/** Rows that are read ahead. If one of their dates has a number above 12, it shows the order of day and month for all. */
const firstRows = 1_000;

/**
 * Finds the columns of a file, and reads its rows. Memory is constant unless items are added up.
 * @throws FileError if its columns cannot be chosen. Reading the rows may throw it, too.
 */
export async function openOrderFile({ head, rows }: OpenCsv, options: ReadOptions): Promise<OrderFile> {
  const chosen = chooseColumns(head, options.columns);
  const first: CsvRow[] = [];
  while (first.length < firstRows) {
    const { value, done } = await rows.next();
    if (done) break;
    first.push(value);
  }
  const columns = settleDates(chosen, options.columns, (index) =>
    first.map(({ cells }) => cellText(cells, index)),
  );
  const cellsOf = (field: FileField) => first.map(({ cells }) => firstOf(cells, columns.at[field]));
  const dateOrder = options.dateOrder ?? columns.format?.dateOrder ?? dateOrderOf(cellsOf('createdAt'));
  const areIdsFloats = areFloats(cellsOf('orderId').map(readId));
  const read = readRows([first, rows], createReadRow(columns, { ...options, dateOrder, areIdsFloats }));
  return { columns, rows: columns.isOfItems ? sumItems(read) : read };
}

async function* readRows(
  parts: readonly (Iterable<CsvRow> | AsyncIterable<CsvRow>)[],
  read: (row: CsvRow) => ReadRow,
): AsyncGenerator<ReadRow> {
  for (const rows of parts) for await (const row of rows) yield read(row);
}
