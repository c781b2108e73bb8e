import { columnKey } from '../../../values/csvHeads.js';
import { readAnswer } from './answers.js';
import { isDateLike } from './readDate.js';
import { type DecimalSign, readMoney } from './readMoney.js';

/** Refunded money of an order: an exact decimal, all of it, or a part of unknown amount. */
export type Refunded = string | 'all' | 'some';

/** Beginnings of words for refunds, for a pattern. */
export const refundWords =
  'refund|erstatt|rembours|reembols|rimbors|terugbetaal|aterbetal|ruckzahl|chargeback';
const words = new RegExp(`${refundWords}|dispute`);
const inPart = /part|teil/;

/** @returns true for the status of a refunded order */
export function isRefundedWord(status: string): boolean {
  return words.test(columnKey(status));
}

/** The cells of a row that concern refunds. */
interface RefundCells {
  amount: string;
  /** A yes or a date that shows that the order was refunded. */
  flag: string;
  status: string;
}

/** Reads the refund of a row: from an amount, or else from its status, or else from a yes or a date. Null for no refund. */
export function readRefunded(
  { amount, flag, status }: RefundCells,
  order: { amount: string | null; currency: string | null; decimal: DecimalSign | null },
): Refunded | null {
  const total = order.amount === null ? Number.POSITIVE_INFINITY : Number(order.amount);
  if (total === 0) return null;
  const answer = readAnswer(flag);
  const isTime = isDateLike(flag);
  for (const text of answer === null && !isTime ? [amount, flag] : [amount]) {
    // Sales reports write refunds as negative amounts.
    const read = readMoney(text.replace(/[-\u2212()]/g, ''), order);
    if (Number(read.amount) > 0) return Number(read.amount) >= total ? 'all' : read.amount!;
  }
  if (isRefundedWord(status)) return inPart.test(columnKey(status)) ? 'some' : 'all';
  if (answer === true) return 'all';
  // An amount that cannot be read, or a date.
  return /[1-9]/.test(amount) || answer === null ? 'some' : null;
}
