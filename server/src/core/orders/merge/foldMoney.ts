import { isSameAmount } from '../../../values/currency.js';
import { moneyOf } from './clusters.js';
import { statedFields } from './joinVersions.js';
import type { Group, StatedObject } from './statement.js';
import { sayersOf } from './strength.js';

/** The money of an order. */
export interface FoldedMoney {
  amount: string;
  /** As it was said; null if nobody said one. */
  currency: string | null;
  /** The shop order that gives it; null if none does. */
  giver: StatedObject | null;
}

/**
 * Finds the amount: of a shop order that is or was paid, else of the payment, else the strongest that was said. The currency is that
 * of the amount's speaker, else of a statement of the same amount, else the strongest that was said.
 */
export function foldMoney({ objects, clusters }: Group): FoldedMoney {
  const giver = objects.find(({ kind, wasPaid }) => kind === 'shopOrder' && wasPaid) ?? null;
  const [payment] = clusters;
  if (!giver && payment) return { ...moneyOf(payment), giver };
  const speaker = giver ?? sayersOf('amount', objects).find(({ wasPaid }) => wasPaid);
  const { amount = '0', currency = null } = speaker ? statedFields(speaker) : {};
  return { amount: amount!, currency: currency ?? currencyOf(amount!, objects), giver };
}

function currencyOf(amount: string, objects: readonly StatedObject[]): string | null {
  const stated = sayersOf('currency', objects).map(statedFields);
  const same = stated.find((words) => isSameAmount(Number(words.amount), Number(amount), words.currency!));
  return (same ?? stated[0])?.currency ?? null;
}
