import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../../database/connection/connect.js';
import { statementsOf } from '../../../database/pools.js';
import { createGroupCommit, type QueueBounds } from '../../../database/queue.js';
import { decimalsOf } from '../../../values/currency.js';
import { plainDecimal } from '../../../values/decimal.js';
import { ApiError } from '../../../values/errors.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import { limits } from '../../../values/limits.js';
import { findSigningKeys, type SigningKey } from '../../teams/sql/signingKey.js';
import { defaults } from '../defaults.js';
import type { PreparedReport, SentSignature } from '../report.js';

/** Reads the signature of a body; undefined if it is missing, null or empty, because the page is not signed then. */
export function readSignature(body: unknown): SentSignature | undefined {
  const { signature, orderId, email, currency } = body as Record<string, unknown>;
  if (signature === undefined || signature === null || signature === '') return undefined;
  return { value: signature, orderId, email, currency };
}

/**
 * Checks the signature of a page's report that has one. Resolves with the report, with `signedAsTest` set.
 * @throws ApiError `invalid_signature`; `Overloaded` if too many requests wait
 */
export type CheckSignature = (teamId: Uuid, report: PreparedReport) => Promise<PreparedReport>;

const orderIdMissing = 'A signed order needs an orderId, which the signature is about.';

/**
 * Creates the check of signatures. It reads the team's keys each time, so that a revoked key stops immediately. Concurrent reports
 * share one look-up. Reports without a signature do not come here.
 */
export function createCheckSignature(sql: Sql, bounds: QueueBounds): CheckSignature {
  const lookUps = createGroupCommit<null, readonly SigningKey[]>(
    async (teamId, asked) => {
      const keys = await findSigningKeys(sql, teamId);
      return asked.map(() => keys);
    },
    { ...bounds, statementsInFlight: statementsOf.signingKeys },
  );

  return async function checkSignature(teamId, { signature, ...report }) {
    const { orderId } = report;
    if (orderId === null) throw new ApiError('invalid_signature', { message: orderIdMissing });
    const keys = await lookUps.submit(teamId, null);
    const currency = report.currency ?? defaults.currency;
    const values = { ...report, teamId: encodeId('team', teamId), orderId, currency };
    const signer = findSigner(keys, signature!, values);
    if (!signer) throw new ApiError('invalid_signature');
    return { ...report, signedAsTest: signer.isTest };
  };
}

/** The values of a report that a signature covers. */
export interface SignedValues {
  /** `team_…` */
  teamId: string;
  orderId: string;
  /** The stored form. */
  email: string;
  amount: number;
  currency: string;
}

/**
 * Finds the key that made a signature: HMAC-SHA256 of team, orderId, email, amount and currency, joined by line feeds, in hex of
 * either case. Each value may be signed as it was sent or as it is stored. The amount may be the shortest decimal or have the
 * decimals of its currency, because JSON keeps no trailing zeros.
 * @returns undefined if no key made it
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

/** Lists the accepted forms of a signed value. A value with a line feed is left out, because it could be read as two values. */
function formsOf(stored: string, sent: unknown): string[] {
  const isOther = typeof sent === 'string' && sent !== stored && sent.length <= limits.id;
  return (isOther ? [stored, sent] : [stored]).filter((form) => !form.includes('\n'));
}

/** Formats an amount with the decimals of its currency; undefined if the amount has more. */
function withDecimals(amount: number, currency: string): string | undefined {
  const text = amount.toFixed(decimalsOf(currency));
  return Number(text) === amount ? text : undefined;
}
