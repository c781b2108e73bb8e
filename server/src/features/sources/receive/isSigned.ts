import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SourceKind } from '../source.js';

/** The parts of a webhook's request that its signature covers or contains. */
export interface SignedRequest {
  headers: IncomingHttpHeaders;
  /** The body as it was received. */
  bytes: Buffer;
}

/** The largest difference between the signature's time and now, against replays. Stripe's own libraries use the same. */
const toleranceMs = 5 * 60_000;

const signatureHeaders: Record<SourceKind, string> = {
  stripe: 'stripe-signature',
  shopify: 'x-shopify-hmac-sha256',
  woocommerce: 'x-wc-webhook-signature',
};

/**
 * @returns true if a request has a signature, right or wrong. Checking one needs the whole body, which may be too
 * large.
 */
export function isMeantAsSigned(kind: SourceKind, { headers }: Pick<SignedRequest, 'headers'>): boolean {
  return headers[signatureHeaders[kind]] !== undefined;
}

/**
 * Checks if the provider signed the request with the source's secret. Compares in constant time.
 * @param nowMs the database's time, because a signature of Stripe contains its time
 */
export function isSigned(kind: SourceKind, request: SignedRequest, secret: string, nowMs: number): boolean {
  switch (kind) {
    case 'stripe':
      return isSignedByStripe(request, secret, nowMs);
    case 'shopify':
    case 'woocommerce':
      return isSignedInBase64(request, signatureHeaders[kind], secret);
  }
}

/**
 * Checks `Stripe-Signature: t=1700000000,v1=…,v1=…` (docs.stripe.com/webhooks/signature). While a secret is being
 * replaced, the header has a `v1` for the old and the new one.
 */
function isSignedByStripe({ headers, bytes }: SignedRequest, secret: string, nowMs: number): boolean {
  const fields = textOf(headers, signatureHeaders.stripe)
    .split(',')
    .map((field) => field.trim().split('=', 2));
  const time = fields.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time) || Math.abs(Number(time) * 1000 - nowMs) > toleranceMs) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(bytes).digest();
  return fields.some(
    ([name, text = '']) => name === 'v1' && isSameSecret(Buffer.from(text, 'hex'), expected),
  );
}

function isSignedInBase64({ headers, bytes }: SignedRequest, header: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(bytes).digest();
  return isSameSecret(Buffer.from(textOf(headers, header), 'base64'), expected);
}

function textOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Compares bytes in constant time. Their length is not secret. */
function isSameSecret(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
