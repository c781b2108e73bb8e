import { hash } from 'node:crypto';
import { defaults } from '../../core/orders/defaults.js';
import { storableIssues } from '../../core/orders/receive/issues.js';
import { readReport } from '../../core/orders/receive/readReport.js';
import type { RefusedRequest } from '../../core/orders/refusedRequest.js';
import { orderDiffers } from '../../core/orders/store/answer.js';
import { isStoredCurrency } from '../../values/currency.js';
import { withoutEmail } from '../../values/email.js';
import { newUuid } from '../../values/ids.js';
import { amountAtMost } from '../../values/limits.js';
import { isoTime } from '../../values/time.js';
import { readDecimalText, takeNearNames } from './correct.js';
import type { NewRefused } from './refusedReport.js';

/** Converts a refused report into the form in which it is kept. */
export function describeRefused(refusal: RefusedRequest, nowMs: number): NewRefused {
  const { error, field, host, keyHash, text, value } = refusal;
  const isFromPage = keyHash === null;
  const sent = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const reading = readReport(value, isFromPage || refusal.statement !== undefined);
  const valid = reading.issues ? reading.valid : reading.report;
  const orderId = valid.orderId ?? null;
  // Prepared like the ids of stored orders, so that it finds the order.
  const reportId = isFromPage && valid.reportId ? withoutEmail(valid.reportId) : null;
  const idempotencyKey = refusal.idempotencyKey && withoutEmail(refusal.idempotencyKey);
  const near = takeNearNames({ ...sent });
  const amount = valid.amount ?? readAmountText(near);
  const isCurrencySent = near.currency !== undefined && near.currency !== null;
  // If a report differs from a known order and has no currency, it means the order's currency, not the default.
  const isOther = isCurrencySent || error.code === orderDiffers;
  const code = typeof near.currency === 'string' ? near.currency.toUpperCase() : null;
  const named = isStoredCurrency(code) ? code : null;
  const currency = valid.currency ?? (isOther ? named : defaults.currency);
  return {
    id: newUuid(nowMs),
    identity: identityOf(refusal, orderId ?? reportId ?? idempotencyKey, sent),
    reason: error.code,
    field,
    issues: storableIssues(error.issues),
    host,
    body: text,
    keyHash,
    idempotencyKey,
    sdkVersion: valid.sdkVersion ?? null,
    receivedAt: isoTime(nowMs),
    email: valid.email ?? null,
    orderId,
    reportId,
    amount,
    currency: amount === null ? null : currency,
    times: 1,
    statement: refusal.statement ?? null,
  };
}

/**
 * Returns the identity of a refused report: its sender, its identifier, and its buyer and money as they were sent.
 * Reports with one identity are one entry. So a stranger cannot hide a report by sending a made-up one with the same
 * `orderId`. The identity of a report without identifier is its sender and its body.
 */
function identityOf(
  { host, keyHash, text }: RefusedRequest,
  identifier: string | null,
  { email, amount, currency }: Record<string, unknown>,
): string {
  const stated = [email, amount, currency];
  const isReadable =
    identifier !== null && stated.every((value) => typeof value !== 'object' || value === null);
  return hash('sha256', JSON.stringify([keyHash, host, ...(isReadable ? [identifier, ...stated] : [text])]));
}

/** Reads an amount that has one reading, for the sums of lists. `1.000` and `1,000` have two. */
function readAmountText(sent: Record<string, unknown>): string | null {
  const decimal = readDecimalText(sent);
  return decimal !== null && Number(decimal) >= 0 && Number(decimal) <= amountAtMost ? decimal : null;
}
