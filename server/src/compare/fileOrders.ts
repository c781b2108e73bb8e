import type { Source } from '@orderbeacon/sdk/contract';
import { paymentSource } from '../orders/paymentSource.js';
import { sources } from '../orders/reportSchema.js';
import { readCell } from '../values/csvCells.js';
import { isStoredCurrency } from '../values/currency.js';
import { limits } from '../values/limits.js';
import { isStorable } from '../values/text.js';
import { type ChosenColumns, chooseColumns, type NamedColumns } from './chooseColumns.js';
import type { CsvRow } from './csvRows.js';
import { type DateOrder, readDate } from './readDate.js';
import { type DecimalSign, readMoney } from './readMoney.js';
import { type FileField, isPaid } from './shopExports.js';

/** One order of a file. Null where the file does not tell. */
export interface FileOrder {
  line: number;
  orderId: string;
  /** The payment by which a source may know the order. */
  paymentId: string | null;
  /** Exact plain decimal. */
  amount: string | null;
  currency: string | null;
  email: string | null;
  name: string | null;
  /** Milliseconds since 1970. */
  createdMs: number | null;
  /** True where the date names a whole day. */
  isDay: boolean;
  source: Source;
}

/** A row that cannot be compared, with the reason. */
export interface Unread {
  line: number;
  orderId: string | null;
  message: string;
}

/** One row of a file. */
export type ReadRow =
  | { kind: 'order'; order: FileOrder }
  | { kind: 'unread'; unread: Unread; orderId: string | null }
  /** The shop says that the order was not paid. */
  | { kind: 'unpaid'; status: string }
  /** An order of the other world, test or live. */
  | { kind: 'otherMode' }
  /** A further line of the order before. */
  | { kind: 'further' };

/** Instructions for reading a file. */
export interface ReadOptions {
  columns: NamedColumns;
  decimal: DecimalSign | null;
  dateOrder: DateOrder | null;
  /** Further words for a paid order, as `columnKey` makes them. */
  alsoPaid: ReadonlySet<string>;
  isTest: boolean;
  nowMs: number;
}

/** An order file that is open: its columns, and its rows. */
export interface OrderFile {
  columns: ChosenColumns;
  rows: AsyncGenerator<ReadRow>;
}

/**
 * Reads the head line of a file, and then its rows in constant memory.
 * @throws FileError when the file is no CSV of orders
 */
export async function openOrderFile(rows: AsyncGenerator<CsvRow>, options: ReadOptions): Promise<OrderFile> {
  const head = await rows.next();
  const columns = chooseColumns(head.done ? [] : head.value.cells, options.columns);
  return { columns, rows: readRows(rows, columns, options) };
}

async function* readRows(
  rows: AsyncGenerator<CsvRow>,
  columns: ChosenColumns,
  options: ReadOptions,
): AsyncGenerator<ReadRow> {
  const read = createReadRow(columns, options);
  for await (const row of rows) yield read(row);
}

/** Makes the function that reads the rows of one file, in their order. */
export function createReadRow(columns: ChosenColumns, options: ReadOptions): (row: CsvRow) => ReadRow {
  const { format, places } = columns;
  let groupBefore: string | null = null;

  return function readRow({ cells, line }) {
    const get = (field: FileField) => firstOf(cells, places[field]);
    const orderId = get('orderId');
    const unread = (message: string): ReadRow => ({
      kind: 'unread',
      unread: { line, orderId: orderId.slice(0, limits.id) || null, message },
      orderId: orderId || null,
    });
    const group = get('group') || orderId;
    const hasTotals = get('amount') !== '' || get('status') !== '';
    if (group !== '' && group === groupBefore && !hasTotals) return { kind: 'further' };
    groupBefore = group;

    if (cells.slice(columns.count).some((cell) => cell.trim() !== ''))
      return unread(
        `has ${cells.length} cells, and the first line ${columns.count}: a cell with a separator needs quotes`,
      );
    const status = get('status');
    if (!isPaid(status, options.alsoPaid)) return { kind: 'unpaid', status };
    const mode = get('mode').toLowerCase();
    if (mode !== '' && (mode === 'true' || mode === 'test') !== options.isTest) return { kind: 'otherMode' };

    const idProblem = problemOfId(orderId);
    if (idProblem) return unread(idProblem);
    const currency = columns.currency ?? (get('currency').toUpperCase() || null);
    if (currency !== null && !isStoredCurrency(currency as unknown))
      return unread(`currency "${currency.slice(0, 40)}" is no code such as USD`);
    let amount: string | null = null;
    if (places.amount.length > 0) {
      const money = readMoney(get('amount'), { currency, decimal: options.decimal });
      if (money.problem !== undefined) return unread(`amount ${money.problem}`);
      amount = money.amount;
    }
    const sentDate = get('createdAt');
    const date = sentDate === '' ? null : readDate(sentDate, options.dateOrder, options.nowMs);
    if (date?.problem !== undefined) return unread(`date ${date.problem}`);
    const name = [get('name'), get('lastName')].filter(Boolean).join(' ').slice(0, limits.text);
    const paymentId = places.paymentId.map((at) => cellOf(cells, at)).find((id) => id.startsWith('pi_'));
    return {
      kind: 'order',
      order: {
        line,
        orderId,
        paymentId:
          paymentId && paymentId.length <= limits.reportId && isStorable(paymentId) ? paymentId : null,
        amount,
        currency,
        email: get('email') || null,
        name: isStorable(name) && name !== '' ? name : null,
        createdMs: date?.ms ?? null,
        isDay: date?.isDay ?? false,
        source: readSource(get('source'), get('paymentMethod')) ?? format?.source ?? 'MANUAL',
      },
    };
  };
}

/** The source that a row tells: by its name, or by the shop's name of the payment method. */
function readSource(name: string, paymentMethod: string): Source | undefined {
  return (
    sources.find((source) => source === name.toUpperCase()) ??
    (paymentMethod ? paymentSource(paymentMethod) : undefined)
  );
}

function firstOf(cells: readonly string[], places: readonly number[]): string {
  for (const place of places) {
    const text = cellOf(cells, place);
    if (text !== '') return text;
  }
  return '';
}

function cellOf(cells: readonly string[], place: number): string {
  return readCell(cells[place] ?? '').trim();
}

function problemOfId(orderId: string): string | null {
  if (orderId === '') return 'has no order id';
  if (orderId.length > limits.id) return `order id is longer than ${limits.id} characters`;
  if (!isStorable(orderId)) return 'order id holds a character that cannot be stored';
  if (/^\d([.,]\d+)?E\+\d+$/i.test(orderId))
    return 'order id was rounded by a spreadsheet: take the file as the shop exported it';
  return null;
}
