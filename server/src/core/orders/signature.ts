import { createHmac, timingSafeEqual } from 'node:crypto';
import { decimalsOf } from '../../values/currency.js';
import { plainDecimal } from '../../values/decimal.js';
import { limits } from '../../values/limits.js';
import type { SigningKey } from '../teams/sql/signingKey.js';
import type { SentSignature } from './reportSchema.js';

/** The values of a report that a signature vouches for. */
export interface SignedValues {
  /** `team_…` */
  teamId: string;
  orderId: string;
  /** As it is stored. */
  email: string;
  amount: number;
  currency: string;
}

/**
 * Finds the key that made a signature: HMAC-SHA256 of team, orderId, email, amount and currency, joined by line feeds, in
 * hex of either case. Each is signed as it was sent or as it is stored, and the amount as the shortest decimal or with the
 * decimals of its currency, because JSON keeps no zeros. Undefined when no key has made it.
 */
export function findSigner<Key extends Pick<SigningKey, 'secret'>>(
  keys: readonly Key[],
  sent: SentSignature,
  { teamId, orderId, email, amount, currency }: SignedValues,
): Key | undefined {
  if (typeof sent.value !== 'string' || !/^\s*[0-9a-f]{64}\s*$/i.test(sent.value)) return undefined;
  const signature = Buffer.from(sent.value.trim(), 'hex');
  const messages = [
    [teamId],
    formsOf(orderId, sent.orderId),
    formsOf(email, sent.email),
    formsOf(plainDecimal(amount), withDecimals(amount, currency)),
    formsOf(currency, sent.currency),
  ].reduce((begun, forms) => begun.flatMap((text) => forms.map((form) => `${text}\n${form}`)));
  return keys.find(({ secret }) =>
    messages.some((message) =>
      timingSafeEqual(createHmac('sha256', secret).update(message).digest(), signature),
    ),
  );
}

/** A value with a line feed could be read as two of the signed ones. */
function formsOf(stored: string, sent: unknown): string[] {
  const isOther = typeof sent === 'string' && sent !== stored && sent.length <= limits.id;
  return (isOther ? [stored, sent] : [stored]).filter((form) => !form.includes('\n'));
}

/** Undefined where the amount has more decimals than its currency. */
function withDecimals(amount: number, currency: string): string | undefined {
  const text = amount.toFixed(decimalsOf(currency));
  return Number(text) === amount ? text : undefined;
}
