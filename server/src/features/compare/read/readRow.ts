import type { Source } from '@orderbeacon/sdk/contract';
import { paymentSource } from '../../../core/orders/payment.js';
import { sources } from '../../../core/orders/receive/reportSchema.js';
import { type CsvRow, cellText } from '../../../values/csvFile.js';
import { isStoredCurrency, readCurrencyCode } from '../../../values/currency.js';
import { currenciesOf } from '../../../values/currencySigns.js';
import { limits } from '../../../values/limits.js';
import { isStorable } from '../../../values/text.js';
import { readMode } from './answers.js';
import { type ChosenColumns, currencyOf } from './chooseColumns.js';
import type { OfAllRows, ReadOptions, ReadRow } from './fileOrder.js';
import { isHeadAgain, refuseOtherHead } from './headRows.js';
import { judgePayment } from './judgePayment.js';
import type { FileField } from './knownColumns.js';
import { isFooter } from './noOrders.js';
import { createReadTime } from './readDate.js';
import { problemOfId, readId, withoutDecimals } from './readId.js';
import { isNegative, readMoney } from './readMoney.js';
import { isRefundedWord, readRefunded } from './readRefunded.js';
import { isRefundKind } from './refundHeads.js';
import { createRowSums, isSumLabel } from './sumRows.js';

/** Creates the function that reads the rows of one file. It must get them in their order. */
export function createReadRow(
  columns: ChosenColumns,
  options: ReadOptions & OfAllRows,
): (row: CsvRow) => ReadRow {
  const { format, at, claims } = columns;
  const { decimal } = options;
  const isUtc = [...at.createdAt, ...at.time].some((index) => /\butc\b|_utc/i.test(columns.head[index]!));
  const readTime = createReadTime(isUtc ? { ...options, zone: 'UTC' } : options);
  const paidAt = claims.flatMap((claim) =>
    claim.kind === 'paid' && !at.createdAt.includes(claim.at) ? [claim.at] : [],
  );
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
    const written = currenciesOf(sentAmount);
    const stated = columns.currency ?? readCurrencyCell(get('currency')) ?? (written && onlyOf(written));
    // The sign of several currencies, such as `$`, confirms the one of the format.
    const confirmed = written?.has(format?.currency ?? '') ? format?.currency : undefined;
    const currency = stated ?? confirmed ?? null;
    const money = readMoney(sentAmount, { currency, decimal });
    if (money.problem !== undefined && sentAmount !== '') refuseOtherHead({ cells, line }, columns);
    const amount = at.amount.length > 0 ? (money.amount ?? null) : null;
    const refunded = readRefunded(
      { amount: get('refunded'), flag: get('isRefunded'), status },
      { amount, currency, decimal },
    );
    const notPaid = judgePayment(
      {
        status,
        claims: claims.map((claim) => ({ claim, text: cellText(cells, claim.at) })),
        money: (text) => toNumber(readMoney(text, { currency, decimal }).amount),
        total: toNumber(money.amount),
        isRefunded: refunded !== null,
      },
      options.alsoPaid,
    );
    if (isSumRow(cells, orderId, money.amount)) return { kind: 'noOrder' };
    const hasMore = get('email') !== '' || status !== '';
    if (
      at.amount.length > 0 &&
      isFooter({ cells, orderId, amount: sentAmount, isMoney: amount !== null, hasMore })
    )
      return { kind: 'noOrder' };
    const kind = columns.otherRowsAt === -1 ? null : cellText(cells, columns.otherRowsAt);
    const isRefund =
      kind !== null && !format?.otherRows && isRefundKind(columns.head[columns.otherRowsAt]!, kind);
    // Each line of an order may repeat its total, so only the first one counts.
    if (money.amount !== undefined && !isRefund && (columns.isOfItems || orderId !== orderBefore))
      sums.add(money.amount, notPaid === null);
    orderBefore = orderId;

    if (cells.slice(columns.head.length).some((cell) => cell.trim() !== ''))
      return unread(
        `has ${cells.length} cells, and the first line ${columns.head.length}: a cell with a separator needs quotes`,
      );
    // An item's negative amount may be a discount, which is part of the sum.
    if (isRefund || (!columns.isOfItems && isNegative(sentAmount))) {
      const isOther = format?.otherRows && kind !== null && !isRefundedWord(kind);
      if (orderId === '' || isOther) return { kind: 'noOrder' };
      const given = readMoney(sentAmount.replace(/[-\u2212()]/g, ''), { currency, decimal });
      return { kind: 'refund', amount: given.amount ?? null, currency };
    }
    if (format?.otherRows) {
      const isOrder = format.otherRows.orders?.test(kind ?? '') ?? true;
      if (!isOrder || orderId === '') return { kind: 'noOrder' };
    }
    if (notPaid) return { kind: 'unpaid', status: notPaid.word, isUnknown: notPaid.isUnknown };
    const isTest = at.mode.map((index) => readMode(columns.head[index]!, cellText(cells, index)));
    if (isTest.some((mode) => mode !== null) && isTest.includes(true) !== options.isTest)
      return { kind: 'otherMode' };

    const idProblem = problemOfId(orderId);
    if (idProblem) return unread(idProblem);
    if (currency !== null && !isStoredCurrency(currency as unknown))
      return unread(`currency "${currency.slice(0, 40)}" is no code such as USD`);
    if (at.amount.length > 0 && money.problem !== undefined) return unread(`amount ${money.problem}`);
    const assumed = currencyOf(currency, columns);
    if (assumed !== null && written?.has(assumed) === false)
      return unread(`amount "${sentAmount.slice(0, 40)}" is in another currency than ${assumed}`);
    const zone = get('zone');
    const date = readTime(get('createdAt'), get('time'), zone);
    if (date?.problem !== undefined) return unread(`date ${date.problem}`);
    const paid = readTime(firstOf(cells, paidAt), '', zone);
    const name = [get('name'), get('lastName')].filter(Boolean).join(' ').slice(0, limits.text);
    const keys = at.keys.map((index) => cellText(cells, index)).filter(isKey);
    return {
      kind: 'order',
      order: {
        line,
        orderId,
        payment: keys[0] ?? (isPayment(get('payment')) ? get('payment') : null),
        keys,
        amount,
        currency,
        refunded,
        email: get('email') || null,
        name: isStorable(name) && name !== '' ? name : null,
        createdMs: date?.ms ?? null,
        dayEndMs: date?.dayEndMs ?? null,
        paidAt: paid?.ms === undefined ? null : paid,
        source: readSource(get('source'), get('paymentMethod')) ?? format?.source ?? null,
      },
    };
  };

  /** @returns true for a row that sums others: by its label, or by its amount if the row has no buyer, date and status */
  function isSumRow(cells: readonly string[], orderId: string, amount: string | undefined): boolean {
    const has = (field: FileField) => firstOf(cells, at[field]) !== '';
    if (has('email')) return false;
    if (isSumLabel(orderId || (cells.find((cell) => cell.trim() !== '') ?? ''))) return true;
    if (amount === undefined || has('name') || has('createdAt') || has('status')) return false;
    // In a file without dates, only the id separates an order from a sum.
    return orderId === '' ? sums.isSum(amount, 1) : at.createdAt.length > 0 && sums.isSum(amount, 2);
  }
}

/** Reads the currency of a cell: a code, a word such as `Euro`, or a sign that only one currency has. Null for an empty cell. */
const readCurrencyCell = (cell: string): string | null => {
  const written = currenciesOf(cell);
  return (written && onlyOf(written)) ?? (readCurrencyCode(cell) || null);
};

const onlyOf = (currencies: ReadonlySet<string>): string | null =>
  currencies.size === 1 ? [...currencies][0]! : null;

/** Reads the source of a row from its name, or else from the shop's name of the payment method. */
function readSource(name: string, paymentMethod: string): Source | undefined {
  return (
    sources.find((source) => source === name.toUpperCase()) ??
    (paymentMethod ? paymentSource(paymentMethod) : undefined)
  );
}

/** Returns the text of the first column in a list that the row fills; empty if it fills none. */
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

/** @returns true for text that may be the id of one payment, not a word such as `manual`, which many payments have */
function isPayment(text: string): boolean {
  return isKey(text) && text.length >= 6 && /\d/.test(text) && !/\s/.test(text);
}

function toNumber(amount: string | undefined): number | null {
  return amount === undefined ? null : Number(amount);
}
