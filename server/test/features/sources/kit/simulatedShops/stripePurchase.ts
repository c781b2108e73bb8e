import type { Random } from '../../../../kit/random.js';
import type { Moment } from './simulatedShop.js';

/** A purchase that is paid with Stripe. Amounts are in the currency's smallest unit. */
export interface Purchase {
  at: number;
  form: 'session' | 'slow' | 'subscription' | 'intent' | 'invoice' | 'two invoices';
  total: number;
  /** Whom the session, the invoice, else the charge names; null for nobody. */
  email: string | null;
  /** Whom the charge names. */
  chargeEmail: string | null;
  placedMs: number;
  payments: Payment[];
  /** Emails that a page or a backend has said. */
  statedEmail: string | null;
  hasBackend: boolean;
}

export interface Payment {
  /** `pi_…` and `ch_…` end in it. */
  id: string;
  amount: number;
  atMs: number;
  refunds: { id: string; amount: number; status: 'pending' | 'succeeded' | 'failed'; atMs: number }[];
  dispute: { id: string; amount: number; status: 'lost' | 'won'; atMs: number } | null;
}

/** Decimals of the currencies that shops here have. */
const decimals: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

/** What a shop with Stripe decides once. */
export type StripeHabits = ReturnType<typeof pickStripeHabits>;

export function pickStripeHabits(habits: Random) {
  const currency = habits.pick('EUR', 'EUR', 'JPY', 'KWD');
  /** Where the shop writes its number: what Stripe calls metadata. */
  const numbered = habits.pick('none', 'session', 'payment', 'both', 'both');
  return {
    currency,
    unit: 10 ** decimals[currency]!,
    numbered,
    /** A buyer who pays twice pays two times for the same number. */
    hasTwins: numbered !== 'none' && habits.next() < 0.3,
    /** Before the API of 2025-03-31 charge and invoice named each other. */
    isBasil: habits.next() < 0.8,
    /** Its webhook has `payment_intent.succeeded`, too. */
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
/** The shop's own number of a purchase. */
export const numberOf = ({ at }: Purchase, { hasTwins }: StripeHabits) =>
  `${1_001 + (hasTwins ? at % 2 : at)}`;
export const hasSession = ({ form }: Purchase) => ['session', 'slow', 'subscription'].includes(form);
export const isPaid = ({ payments }: Purchase) => payments.length > 0;
export const paidOf = ({ payments }: Purchase) => payments.reduce((sum, { amount }) => sum + amount, 0);
/** Amount of the first of two invoices that one payment pays. */
export const firstShare = ({ total }: Purchase) => Math.ceil(total * 0.6);

/** Money of a payment that went back. @param all also what is on its way */
export function returnedOf({ refunds, dispute: lost }: Payment, all = false): number {
  const counted = refunds.filter(({ status }) => status === 'succeeded' || (all && status === 'pending'));
  const sum = counted.reduce((total, { amount }) => total + amount, 0);
  return sum + (lost?.status === 'lost' ? lost.amount : 0);
}
