import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningKey } from '../teams/sql/signingKey.js';
import { plainDecimal } from '../values/decimal.js';
import { limits } from '../values/limits.js';
import { visibleId } from '../values/text.js';
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

/** Trailing zeros that may be signed; Magento prints `49.9000`, shops of bitcoins `0.50000000`. */
const decimalsAtMost = 8;

/**
 * Finds the key that made a signature: HMAC-SHA256 of team, orderId, email, amount and currency, joined by line feeds, in
 * hex of either case. The amount may have trailing zeros, up to eight decimals. The orderId, email and currency are signed as
 * they were given or as they are stored. Undefined when no key has made it.
 */
export function findSigner<Key extends Pick<SigningKey, 'secret'>>(
  keys: readonly Key[],
  { value, orderId: sentOrderId, email: sentEmail, currency: sentCurrency }: SentSignature,
  { teamId, orderId, email, amount, currency }: SignedValues,
): Key | undefined {
  if (typeof value !== 'string' || !/^\s*[0-9a-f]{64}\s*$/i.test(value)) return undefined;
  const signature = Buffer.from(value.trim(), 'hex');
  // A checked report has no currency, or letters in any case.
  const currencies = [...new Set([currency, sentCurrency ?? currency])];
  const messages = orderIdsOf(sentOrderId, orderId).flatMap((signedId) =>
    emailsOf(sentEmail, email).flatMap((signedEmail) =>
      spellingsOf(amount).flatMap((signedAmount) =>
        currencies.map((signedCurrency) =>
          [teamId, signedId, signedEmail, signedAmount, signedCurrency].join('\n'),
        ),
      ),
    ),
  );
  return keys.find(({ secret }) =>
    messages.some((message) =>
      timingSafeEqual(createHmac('sha256', secret).update(message).digest(), signature),
    ),
  );
}

/** The id as it is stored, and as it was sent, with its invisible characters. */
function orderIdsOf(sent: unknown, stored: string): string[] {
  const isOther = typeof sent === 'string' && sent.length <= limits.id && visibleId(sent) === stored;
  return [...new Set(isOther ? [stored, sent] : [stored])].filter((id) => !id.includes('\n'));
}

/** An email with a line feed could be read as two of the signed values. */
function emailsOf(sent: unknown, stored: string): string[] {
  const given = typeof sent === 'string' && sent.length <= limits.email ? sent.trim() : stored;
  return [...new Set([stored, given, given.toLowerCase()])].filter((email) => !email.includes('\n'));
}

/** The ways to write an amount as a plain decimal: `50`, `50.0`, `50.00` … */
function spellingsOf(amount: number): string[] {
  const shortest = plainDecimal(amount);
  const [whole, fraction = ''] = shortest.split('.');
  const spellings = [shortest];
  for (let decimals = fraction.length + 1; decimals <= decimalsAtMost; decimals++)
    spellings.push(`${whole}.${fraction.padEnd(decimals, '0')}`);
  return spellings;
}
