import type { SeenProxies } from '../http/trustedProxies.js';
import type { GetFailure } from '../values/getText.js';
import { type Check, fail, pass } from './check.js';
import type { Answered } from './fetchText.js';

/** Reads the data of an answer of Orderbeacon; undefined for any other answer. */
export function dataOf({ text }: Answered): Record<string, unknown> | undefined {
  try {
    const body = JSON.parse(text);
    return body?.success === true && typeof body.data === 'object' ? body.data : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an answer of `/healthz/proxies`; null for any other answer. */
export function readProxies(answer: Answered | GetFailure): SeenProxies | null {
  const data = (('status' in answer && dataOf(answer)) || {}) as Partial<SeenProxies>;
  const { seen, trusted, isList = false } = data;
  return seen === undefined || trusted === undefined ? null : { seen, trusted, isList };
}

/**
 * Checks that the server knows each buyer's address, on the way that a request took. It does if it trusts exactly the proxies
 * that the request passed. A list of addresses may also name the machine that sent the request.
 */
export function judgeProxies(check: string, { seen, trusted, isList }: SeenProxies): Check {
  const setting = `ORDERBEACON_TRUST_PROXY ${isList ? `names ${Math.min(seen, trusted)} of them` : `is ${trusted}`}`;
  if (seen === trusted || (isList && trusted > seen))
    return pass(check, `${seen} in front of the server, and ${setting}.`);
  const isTooFew = seen > trusted;
  const effect = isTooFew
    ? 'all buyers count as the proxy’s one address and share its rate limit'
    : 'anyone can claim any address and avoid the rate limit';
  const byNumber = `Set ORDERBEACON_TRUST_PROXY=${seen}, if all of these are yours${
    isTooFew ? '' : '; name their addresses in its place, if others come through more proxies'
  }.`;
  return fail(
    check,
    `${seen} in front of the server, but ${setting}: ${effect}.`,
    isList ? 'Add the address from which each of your proxies calls to ORDERBEACON_TRUST_PROXY.' : byNumber,
  );
}
