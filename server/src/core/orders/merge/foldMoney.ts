import { isSameAmount } from '../../../values/currency.js';
import { moneyOf } from './clusters.js';
import { statedFields } from './joinVersions.js';
import type { Group, StatedObject } from './statement.js';
import { sayersOf } from './strength.js';

export interface FoldedMoney {
  amount: string;
  /** The stated currency; null if no speaker stated one. */
  currency: string | null;
  /** The shop order that has this amount, and is or was paid; null if the amount is not a shop order's. */
  giver: StatedObject | null;
}

/**
 * Finds the amount and currency of an order. The amount is that of a shop order that is or was paid, otherwise that of the payment,
 * otherwise the strongest stated one. The currency comes from the speaker of the amount, otherwise from a statement of the same
 * amount, otherwise from the strongest statement.
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
