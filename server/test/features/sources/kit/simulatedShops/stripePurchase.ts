import type { Random } from '../../../../kit/random.js';
import type { Moment } from './simulatedShop.js';

/** A purchase that is paid with Stripe. Amounts are in the currency's smallest unit. */
export interface Purchase {
  at: number;
  form: 'session' | 'slow' | 'subscription' | 'intent' | 'invoice' | 'two invoices';
  total: number;
  /** The buyer in the session or the invoice; without one, the charge's. Null if none is named. */
  email: string | null;
  /** The buyer in the charge. */
  chargeEmail: string | null;
  placedMs: number;
  payments: Payment[];
  /** Email that a page or a backend has reported. */
  statedEmail: string | null;
  hasBackend: boolean;
}

export interface Payment {
  /** The end of its `pi_…` and `ch_…`. */
  id: string;
  amount: number;
  atMs: number;
  refunds: { id: string; amount: number; status: 'pending' | 'succeeded' | 'failed'; atMs: number }[];
  dispute: { id: string; amount: number; status: 'lost' | 'won'; atMs: number } | null;
}

/** Decimals of the currencies of these shops. */
const decimals: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

/** Choices that a shop with Stripe makes once. */
export type StripeHabits = ReturnType<typeof pickStripeHabits>;

export function pickStripeHabits(habits: Random) {
  const currency = habits.pick('EUR', 'EUR', 'JPY', 'KWD');
  /** The objects into whose metadata the shop writes its number. */
  const numbered = habits.pick('none', 'session', 'payment', 'both', 'both');
  return {
    currency,
    unit: 10 ** decimals[currency]!,
    numbered,
    /** Set if a buyer may pay twice for the same number. */
    hasTwins: numbered !== 'none' && habits.next() < 0.3,
    /** False for an API version before 2025-03-31, where charge and invoice named each other. */
    isBasil: habits.next() < 0.8,
    /** Set if its webhook also has `payment_intent.succeeded`. */
    choosesPayments: habits.next() < 0.5,
  };
}

/** Places a purchase, which is not paid yet. */
export function placePurchase(
  at: number,
  { unit, hasTwins, isBasil }: StripeHabits,
  { nowMs, random }: Moment,
): Purchase {
  const email = random.pick('ann@buyer.example', 'bob@buyer.example', 'ann@buyer.example');
  const form = random.pick<Purchase['form']>(
    ...(['session', 'session', 'session', 'slow', 'subscription', 'subscription'] as const),
    ...(['intent', 'intent', 'invoice', 'invoice', 'invoice'] as const),
    isBasil ? 'two invoices' : 'session',
  );
  const isNameless = form === 'intent' && !hasTwins && random.next() < 0.3;
  const isWallet = ['session', 'subscription'].includes(form) && random.next() < 0.3;
  const chargeEmail = random.pick(email, email, null);
  return {
    at,
    form,
    total: Math.ceil((5 + random.below(30_000) / 100) * unit),
    email: isNameless ? null : email,
    chargeEmail: isNameless
      ? null
      : isWallet
        ? `wallet-${at}@buyer.example`
        : form === 'intent'
          ? email
          : chargeEmail,
    placedMs: nowMs,
    payments: [],
    statedEmail: null,
    hasBackend: false,
  };
}

export const sessionId = ({ at }: Purchase) => `cs_live_of_purchase_${at}`;
export const invoiceId = ({ at }: Purchase, second = false) => `in_of_purchase_${at}_${second ? 2 : 1}`;
/** Returns the shop's own number of a purchase. */
export const numberOf = ({ at }: Purchase, { hasTwins }: StripeHabits) =>
  `${1_001 + (hasTwins ? at % 2 : at)}`;
export const hasSession = ({ form }: Purchase) => ['session', 'slow', 'subscription'].includes(form);
export const isPaid = ({ payments }: Purchase) => payments.length > 0;
export const paidOf = ({ payments }: Purchase) => payments.reduce((sum, { amount }) => sum + amount, 0);
/** Returns the amount of the first of two invoices that one payment pays. */
export const firstShare = ({ total }: Purchase) => Math.ceil(total * 0.6);

/** Sums up the returned money of a payment. @param all includes pending refunds */
export function returnedOf({ refunds, dispute: lost }: Payment, all = false): number {
  const counted = refunds.filter(({ status }) => status === 'succeeded' || (all && status === 'pending'));
  const sum = counted.reduce((total, { amount }) => total + amount, 0);
  return sum + (lost?.status === 'lost' ? lost.amount : 0);
}
