import { createGroupCommit } from '../../database/batch/groupCommit.js';
import type { QueueBounds } from '../../database/batch/queueBounds.js';
import type { Sql } from '../../database/connection/connect.js';
import { statementsOf } from '../../database/pools.js';
import { plainDecimal } from '../../values/decimal.js';
import { ApiError } from '../../values/errors.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import { findSigningKeys, type SigningKey } from '../teams/sql/signingKey.js';
import { defaults } from './defaults.js';
import { fieldNames } from './fields.js';
import type { StampedReport } from './report.js';
import { findSigner } from './signature.js';
import type { Said } from './storedOrder.js';

/**
 * Checks the signature of a page's report that has one, and resolves with the report as the key vouches for it.
 * @throws ApiError `invalid_signature`; `Overloaded` when too many wait
 */
export type CheckSignature = (teamId: Uuid, report: StampedReport) => Promise<StampedReport>;

const orderIdMissing = 'A signed order needs an orderId, which the signature is about.';

/**
 * Makes the check of signatures. It asks for the team's keys each time, so that a revoked key stops immediately. Reports
 * that arrive together share the look-up. Reports without a signature do not come here.
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
    return { ...report, currency, signedAsTest: signer.isTest, said: spokenBySigned(report, currency) };
  };
}

/**
 * Splits what a signed page says: the signed values are as good as a key's. A currency that is signed as the default is a word
 * of the page: no other page can change it, and a key can say what is right.
 */
function spokenBySigned(report: StampedReport, signedCurrency: string): Said {
  const { personId, orderId } = report;
  const page = Object.fromEntries(
    fieldNames.filter((name) => report[name] !== null).map((name) => [name, report[name]]),
  );
  const { orderId: _id, amount: _amount, currency, ...rest } = page;
  const key = { personId, orderId, amount: plainDecimal(report.amount) };
  if (currency === undefined) return { page: { ...rest, currency: signedCurrency }, key };
  return { page: rest, key: { ...key, currency: signedCurrency } };
}
