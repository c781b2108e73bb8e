import { hash } from 'node:crypto';
import type { Issue } from '@orderbeacon/sdk/contract';
import { placeholderFor } from '../orders/placeholders.js';
import { sdkVersionOf } from '../orders/reportSchema.js';
import { isCurrency } from '../values/currency.js';
import { isAmbiguousDecimal, isDecimal } from '../values/decimal.js';
import { readStorableEmail } from '../values/email.js';
import { newUuid } from '../values/ids.js';
import { isoTime } from '../values/isoTime.js';
import { amountAtMost, limits } from '../values/limits.js';
import { isStorable } from '../values/text.js';
import { placesOf } from './refusedBounds.js';
import type { RefusedReport } from './refusedReport.js';
import { storableIssues } from './storableIssues.js';

/** Refused report with its origin. */
export interface RefusedRequest {
  /** The refusal; `code` is the reason that the report is kept for. */
  error: { code: string; issues?: Issue[] | undefined };
  /** The first invalid field, in the contract's words; empty for none. */
  field: string;
  /** The page's; empty for a report with a key, and for a page that names none. */
  host: string;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The header. */
  idempotencyKey: string | null;
  /** The body's text, and the value that could be read from it. */
  text: string;
  value: unknown;
  isCut: boolean;
}

/** Characters of an identifier, an email or an amount that tell reports apart. Longer ones are compared with the whole body. */
const charactersCompared = 1_024;

/** Refused report before the team's domains are known. */
export type Described = Omit<RefusedReport, 'isAllowed'>;

/** Turns a refused report into the form that is kept. */
export function describeRefused(refusal: RefusedRequest, nowMs: number): Described {
  const { error, field, host, keyHash, idempotencyKey, text, isCut } = refusal;
  const fields = (typeof refusal.value === 'object' && refusal.value) || {};
  const sent = fields as Record<string, unknown>;
  // By a template that was not rendered, all refused orders of a page would be one entry.
  const body = keyHash === null ? withoutPlaceholders(sent) : sent;
  const amount = readAmount(body.amount);
  return {
    id: newUuid(nowMs),
    identity: identityOf(refusal, body),
    reason: error.code,
    field,
    issues: error.issues ? storableIssues(error.issues) : null,
    host,
    body: text,
    isCut,
    keyHash,
    idempotencyKey,
    sdkVersion: sdkVersionOf(body) ?? null,
    receivedAt: isoTime(nowMs),
    email: typeof body.email === 'string' ? readStorableEmail(body.email) : null,
    orderId: readText(body.orderId, limits.id),
    reportId: keyHash === null ? readText(body.reportId, limits.reportId) : null,
    amount,
    currency: amount === null ? null : readCurrency(body.currency),
    times: 1,
    places: placesOf(text),
  };
}

function withoutPlaceholders(sent: Record<string, unknown>): Record<string, unknown> {
  const real = Object.entries(sent).filter(([field, value]) => placeholderFor(field, value) === undefined);
  return Object.fromEntries(real);
}

/**
 * Identity of a refused report: its sender, its identifier, its buyer and its money. Two reports with the same identity
 * are one entry. So a stranger who sends a made-up report with a known `orderId` hides nothing. A report without any
 * identifier is the same as one with the same body.
 */
function identityOf(
  { host, keyHash, idempotencyKey, text }: RefusedRequest,
  { orderId, reportId, email, amount, currency }: Record<string, unknown>,
): string {
  const said = [orderId, reportId, email, amount, currency].map(asSent);
  const [order, report, ...money] = said;
  const identifier = order ?? report ?? idempotencyKey;
  const isReadable = identifier !== null && !said.includes(undefined);
  return hash('sha256', JSON.stringify([keyHash, host, ...(isReadable ? [identifier, ...money] : [text])]));
}

/** Returns a value as it was sent; null for none, undefined for an object and for a text that is too long. */
function asSent(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && value.length > charactersCompared) return undefined;
  return typeof value === 'object' ? undefined : JSON.stringify(value);
}

function readText(value: unknown, lengthAtMost: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text !== '' && text.length <= lengthAtMost && isStorable(text) ? text : null;
}

/** Amount for the sums of lists. Null out of bounds, and where the text can be read in two ways, as `1.000` can. */
function readAmount(value: unknown): number | string | null {
  const isText = typeof value === 'string' && isDecimal(value) && !isAmbiguousDecimal(value);
  if (typeof value !== 'number' && !isText) return null;
  return Number(value) >= 0 && Number(value) <= amountAtMost ? value : null;
}

function readCurrency(value: unknown): string | null {
  if (value === undefined || value === null) return 'USD';
  return isCurrency(value) ? value.toUpperCase() : null;
}
