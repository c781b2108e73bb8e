import type { Source } from '@orderbeacon/sdk/contract';
import { paymentSource } from '../../core/orders/payment.js';
import { sources } from '../../core/orders/reportSchema.js';
import { type CsvRow, cellText } from '../../values/csvFile.js';
import { isStoredCurrency } from '../../values/currency.js';
import { limits } from '../../values/limits.js';
import { isStorable } from '../../values/text.js';
import type { ChosenColumns, NamedColumns } from './chooseColumns.js';
import { isHeadAgain, refuseOtherHead } from './headRows.js';
import type { FileField } from './knownColumns.js';
import { isCancelled, isPaidWord, isRefunded } from './paidWords.js';
import { type DateOrder, isNoDate, readDate } from './readDate.js';
import { problemOfId, readId, withoutDecimals } from './readId.js';
import { type DecimalSign, isNegative, readMoney } from './readMoney.js';
import { createRowSums, isSumLabel } from './sumRows.js';
import { createFindZone, createToUtc } from './zoneTime.js';

/** One order of a file. Null where the file does not tell. */
export interface FileOrder {
  line: number;
  orderId: string;
  /** The provider's own ids of the payment, by which a source may know the order. */
  keys: readonly string[];
  /** Exact plain decimal. */
  amount: string | null;
  currency: string | null;
  email: string | null;
  name: string | null;
  /** Milliseconds since 1970. */
  createdMs: number | null;
  /** The end of the day, where the date names a whole one. */
  dayEndMs: number | null;
  /** Null where neither the row nor the format tells. */
  source: Source | null;
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
  /** The shop says that the order was not paid; or, with `isUnknown`, a word of which nobody knows if it means paid. */
  | { kind: 'unpaid'; status: string; isUnknown: boolean }
  /** An order of the other world, test or live. */
  | { kind: 'otherMode' }
  /** A fee, a refund, a payout, or the sum of all rows. */
  | { kind: 'noOrder' }
  /** A further line of the order before. */
  | { kind: 'further' };

/** Instructions for reading a file. */
export interface ReadOptions {
  columns: NamedColumns;
  decimal: DecimalSign | null;
  dateOrder: DateOrder | null;
  /** The zone of dates without one. */
  zone: string;
  /** Further words for a paid order, as `columnKey` makes them. */
  alsoPaid: ReadonlySet<string>;
  isTest: boolean;
  nowMs: number;
}

/** What a file's first rows tell of all. */
interface OfAllRows {
  dateOrder: DateOrder | null;
  /** True where a tool has written the ids with decimals. */
  areIdsFloats: boolean;
}

/** Makes the function that reads the rows of one file, in their order. */
export function createReadRow(
  columns: ChosenColumns,
  options: ReadOptions & OfAllRows,
): (row: CsvRow) => ReadRow {
  const { format, at } = columns;
  const isUtc = [...at.createdAt, ...at.time].some((index) => /\butc\b|_utc/i.test(columns.head[index]!));
  const toUtc = createToUtc(isUtc ? 'UTC' : options.zone);
  const findZone = createFindZone();
  const sums = createRowSums();
  let groupBefore: string | null = null;
  let orderBefore: string | null = null;

  return function readRow({ cells, line }) {
    const get = (field: FileField) => firstOf(cells, at[field]);
    const sentId = readId(get('orderId'));
    const orderId = options.areIdsFloats ? withoutDecimals(sentId) : sentId;
    const unread = (message: string): ReadRow => ({
      kind: 'unread',
      unread: { line, orderId: orderId.slice(0, limits.id) || null, message },
      orderId: orderId || null,
    });
    const group = get('group') || orderId;
    const sentAmount = get('amount');
    const status = get('status');
    if (group !== '' && group === groupBefore && sentAmount === '') return { kind: 'further' };
    groupBefore = group;
    if (isHeadAgain(cells, columns)) return { kind: 'noOrder' };
    const currency = columns.currency ?? (get('currency').toUpperCase() || null);
    const money = readMoney(sentAmount, { currency, decimal: options.decimal });
    if (money.problem !== undefined && sentAmount !== '') refuseOtherHead({ cells, line }, columns);
    const isPaid = isPaidWord(status, options.alsoPaid);
    if (isSumRow(cells, orderId, money.amount)) return { kind: 'noOrder' };
    // Each line of an order may have its total.
    if (money.amount !== undefined && (columns.isOfItems || orderId !== orderBefore))
      sums.add(money.amount, isPaid === true);
    orderBefore = orderId;

    if (cells.slice(columns.head.length).some((cell) => cell.trim() !== ''))
      return unread(
        `has ${cells.length} cells, and the first line ${columns.head.length}: a cell with a separator needs quotes`,
      );
    if (format?.otherRows) {
      const isOrder = format.otherRows.orders?.test(cellText(cells, columns.otherRowsAt)) ?? true;
      if (!isOrder || orderId === '') return { kind: 'noOrder' };
    }
    // An item's negative amount may be a discount, and then belongs to the sum.
    if (!columns.isOfItems && isNegative(sentAmount)) return { kind: 'noOrder' };
    if (isPaid !== true) return { kind: 'unpaid', status, isUnknown: isPaid === null };
    const delivery = get('delivery');
    if (isCancelled(delivery) && !isRefunded(status))
      return { kind: 'unpaid', status: delivery, isUnknown: false };
    if (/^false$/i.test(get('captured'))) return { kind: 'unpaid', status: 'uncaptured', isUnknown: false };
    const mode = get('mode').toLowerCase();
    if (mode !== '' && (mode === 'true' || mode === 'test') !== options.isTest) return { kind: 'otherMode' };

    const idProblem = problemOfId(orderId);
    if (idProblem) return unread(idProblem);
    if (currency !== null && !isStoredCurrency(currency as unknown))
      return unread(`currency "${currency.slice(0, 40)}" is no code such as USD`);
    let amount: string | null = null;
    if (at.amount.length > 0) {
      if (money.problem !== undefined) return unread(`amount ${money.problem}`);
      amount = money.amount;
    }
    const sentDate = isNoDate(get('createdAt')) ? '' : get('createdAt');
    const sentTime = sentDate.includes(':') ? '' : get('time');
    const date =
      sentDate === ''
        ? null
        : readDate(`${sentDate} ${sentTime}`.trim(), {
            order: options.dateOrder,
            toUtc: findZone(get('zone')) ?? toUtc,
            findZone,
            nowMs: options.nowMs,
          });
    if (date?.problem !== undefined) return unread(`date ${date.problem}`);
    const name = [get('name'), get('lastName')].filter(Boolean).join(' ').slice(0, limits.text);
    return {
      kind: 'order',
      order: {
        line,
        orderId,
        keys: at.keys.map((index) => cellText(cells, index)).filter(isKey),
        amount,
        currency,
        email: get('email') || null,
        name: isStorable(name) && name !== '' ? name : null,
        createdMs: date?.ms ?? null,
        dayEndMs: date?.dayEndMs ?? null,
        source: readSource(get('source'), get('paymentMethod')) ?? format?.source ?? null,
      },
    };
  };

  /** True for a row that adds up others: by its label, or by its amount where it has neither buyer, date nor status. */
  function isSumRow(cells: readonly string[], orderId: string, amount: string | undefined): boolean {
    const has = (field: FileField) => firstOf(cells, at[field]) !== '';
    if (has('email')) return false;
    if (isSumLabel(orderId || (cells.find((cell) => cell.trim() !== '') ?? ''))) return true;
    if (amount === undefined || has('name') || has('createdAt') || has('status')) return false;
    // In a file without dates only the id tells an order from a sum.
    return orderId === '' ? sums.isSum(amount, 1) : at.createdAt.length > 0 && sums.isSum(amount, 2);
  }
}

/** The source that a row tells: by its name, or by the shop's name of the payment method. */
function readSource(name: string, paymentMethod: string): Source | undefined {
  return (
    sources.find((source) => source === name.toUpperCase()) ??
    (paymentMethod ? paymentSource(paymentMethod) : undefined)
  );
}

/** The text of the first of some columns that the row fills. */
export function firstOf(cells: readonly string[], indexes: readonly number[]): string {
  for (const index of indexes) {
    const text = cellText(cells, index);
    if (text !== '') return text;
  }
  return '';
}

function isKey(text: string): boolean {
  return text !== '' && text.length <= limits.reportId && isStorable(text);
}
