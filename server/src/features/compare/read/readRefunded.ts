import { columnKey } from '../../../values/csvHeads.js';
import { readAnswer } from './answers.js';
import { isDateLike } from './readDate.js';
import { type DecimalSign, readMoney } from './readMoney.js';

/** The money of an order that went back: an exact decimal, all of it, or a part of which the file does not say how much. */
export type Refunded = string | 'all' | 'some';

const words = /refund|erstatt|rembours|reembols|rimbors|terugbetaal|aterbetal|ruckzahl|chargeback|dispute/;
const inPart = /part|teil/;

/** @returns true for a status of an order whose money went back */
export function isRefundedWord(status: string): boolean {
  return words.test(columnKey(status));
}

/** The cells of a row that tell of refunds. */
interface RefundCells {
  amount: string;
  /** Says if the order was refunded, or when. */
  flag: string;
  status: string;
}

/** Reads what a row says of refunds: by an amount, else by the word of its status, else by yes or a date. Null for none. */
export function readRefunded(
  { amount, flag, status }: RefundCells,
  order: { amount: string | null; currency: string | null; decimal: DecimalSign | null },
): Refunded | null {
  const total = order.amount === null ? Number.POSITIVE_INFINITY : Number(order.amount);
  if (total === 0) return null;
  const answer = readAnswer(flag);
  const isTime = isDateLike(flag);
  for (const text of answer === null && !isTime ? [amount, flag] : [amount]) {
    // Reports of sales write refunds as negative money.
    const read = readMoney(text.replace(/[-\u2212()]/g, ''), order);
    if (Number(read.amount) > 0) return Number(read.amount) >= total ? 'all' : read.amount!;
  }
  if (isRefundedWord(status)) return inPart.test(columnKey(status)) ? 'some' : 'all';
  if (answer === true) return 'all';
  // Money that cannot be read, or a date.
  return /[1-9]/.test(amount) || answer === null ? 'some' : null;
}
