import type { SeenProxies } from '../http/trustedProxies.js';
import type { GetFailure } from '../values/getText.js';
import { type Check, fail, pass } from './check.js';
import type { Answered } from './fetchText.js';

/** Reads the data of Orderbeacon's answer; undefined for any other answer. */
export function dataOf({ text }: Answered): Record<string, unknown> | undefined {
  try {
    const body = JSON.parse(text);
    return body?.success === true && typeof body.data === 'object' ? body.data : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the answer of `/healthz/proxies`; null for any other. */
export function readProxies(answer: Answered | GetFailure): SeenProxies | null {
  const data = (('status' in answer && dataOf(answer)) || {}) as Partial<SeenProxies>;
  const { seen, trusted, isList = false } = data;
  return seen === undefined || trusted === undefined ? null : { seen, trusted, isList };
}

/**
 * Judges if the server counts buyers by their own address, on the way that a request took. A list may name the machine that asks,
 * too.
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
