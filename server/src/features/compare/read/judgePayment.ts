import { columnKey } from '../../../values/csvHeads.js';
import { readAnswer } from './answers.js';
import { type Claim, isOfPayment } from './claims.js';
import { isCancelled, judgeStatus } from './paidWords.js';
import { isNoDate } from './readDate.js';

/** The cells of a row that concern the payment of its order. */
export interface PaymentCells {
  status: string;
  /** Each claim with its cell. */
  claims: readonly { claim: Claim; text: string }[];
  /** Reads an amount; null for another text. */
  money: (text: string) => number | null;
  /** Total of the order; null if the file has no totals. */
  total: number | null;
  /** Set if money of the order was refunded. It was then paid, and may be cancelled. */
  isRefunded: boolean;
}

/** The shop's word for an order that was not paid. `isUnknown` is set if it may also mean paid. */
export interface NotPaid {
  word: string;
  isUnknown: boolean;
}

/**
 * A claim that denies the payment. Without `isStated`, it only denies it if no other column states that the order was
 * paid.
 */
type Denial = NotPaid & { isStated: boolean };

/**
 * Checks if an order was paid, by its status and by every claim.
 * @returns null for a paid order
 */
export function judgePayment(
  { status, claims, isRefunded, ...cells }: PaymentCells,
  alsoPaid: ReadonlySet<string>,
): NotPaid | null {
  const stated = judgeStatus(status, alsoPaid);
  if (stated === 'unpaid' || stated === 'unknown') return { word: status, isUnknown: stated === 'unknown' };
  let isStatedPaid = stated === 'paid';
  const denials: Denial[] = [];
  for (const { claim, text } of claims) {
    if (isRefunded && claim.kind !== 'paid') continue;
    const verdict = judgeClaim(claim, text, cells);
    if (verdict === 'paid') isStatedPaid = true;
    else if (verdict && !alsoPaid.has(columnKey(verdict.word))) denials.push(verdict);
  }
  return denials.find(({ isStated }) => isStated || !isStatedPaid) ?? null;
}

function judgeClaim(
  claim: Claim,
  text: string,
  { money, total }: Pick<PaymentCells, 'money' | 'total'>,
): 'paid' | Denial | null {
  const { kind, head } = claim;
  const deny = (word: string, isStated: boolean, isUnknown = false): Denial => ({
    // A page shows words of up to 40 characters.
    word: `${head.slice(0, 22)}: ${word.slice(0, 16)}`,
    isStated,
    isUnknown,
  });
  const isFilled = /\d/.test(text);
  switch (kind) {
    case 'state': {
      const isDenied = isCancelled(text) || (isOfPayment(claim) && judgeStatus(text, new Set()) === 'unpaid');
      return isDenied ? { word: text, isStated: true, isUnknown: false } : null;
    }
    case 'ended':
      return readAnswer(text) === false ? null : deny(isFilled ? 'filled' : text, true);
    case 'due':
      return (money(text) ?? 0) > 0 ? deny('above 0', false) : null;
    case 'paidAmount':
      return isBelow(money(text), total) ? deny('below the total', false) : null;
    case 'paid': {
      if (text === '' || (isNoDate(text) && text !== '0')) return deny('empty', false);
      const answer = readAnswer(text);
      if (answer === false) return deny(text, true);
      if (!answer && isBelow(money(text), total)) return deny('below the total', false);
      if (answer || isFilled) return 'paid';
      const stated = judgeStatus(text, new Set());
      return stated === 'paid' ? 'paid' : stated === 'open' ? null : deny(text, true, stated === 'unknown');
    }
  }
}

/** @returns true if an amount is less than the total, as a deposit is */
function isBelow(amount: number | null, total: number | null): boolean {
  return amount !== null && total !== null && total - amount > 0.009;
}
