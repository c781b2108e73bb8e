import { isOfState } from '../../../values/currency.js';
import { headWords } from './claims.js';
import { refundWords } from './readRefunded.js';

/** Matches a word for refunds. `Return` is one only beside an amount, because customers and links return, too. */
const refund = new RegExp(`^(?:${refundWords}|ruckerstatt|gutschrift|returns$|returned$)`);
const amount = /^(?:amount|total|value|sum|betrag|summe|montant|importe|importo|bedrag)$/;
const plain = /^(?:base|order|orders|payment|gross|partial|partially|was|is|the|of|in)$/;

/**
 * @returns true for the head of a column with the refund of an order: an amount, a yes or a date. Every word of it is about a refund,
 *   an amount, an order or a currency, so the head of a refund's id, reason or tax is another one
 */
export function isRefundHead(head: string): boolean {
  const words = headWords(head).split(' ');
  const isRefund = (word: string) =>
    refund.test(word) || (word === 'return' && words.some((each) => amount.test(each)));
  return (
    words.some(isRefund) &&
    words.every(
      (word) => isRefund(word) || amount.test(word) || plain.test(word) || isOfState(word.toUpperCase()),
    )
  );
}

const kindHead =
  /^(?:(?:transaction|event|record|entry|row|line|order|payment) )?(?:type|kind)$|^(?:typ|art|transaktionstyp|transaktionsart|buchungsart|vorgang)$/;

/** Finds the column that says what a row is, such as `Transaction Type`; -1 without such a column. */
export const findKindColumn = (head: readonly string[]): number =>
  head.findIndex((name) => kindHead.test(headWords(name)));

/** @returns true for a row's kind that is a refund. Braintree and Authorize.net call refunds credits. */
export const isRefundKind = (head: string, kind: string): boolean =>
  refund.test(headWords(kind)) ||
  /\brefund|^(?:return|reversal)$/.test(headWords(kind)) ||
  (headWords(head) === 'transaction type' && headWords(kind) === 'credit');
