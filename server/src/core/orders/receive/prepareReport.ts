import type { OrderReport } from '@orderbeacon/sdk/contract';
import { rememberResults } from '../../../values/boundedMap.js';
import { withoutEmail } from '../../../values/email.js';
import { ApiError } from '../../../values/errors.js';
import { newOrderNumber, newUuid, personUuid, type Uuid } from '../../../values/ids.js';
import { describeIssues } from '../../../values/issues.js';
import { limits } from '../../../values/limits.js';
import { visibleId } from '../../../values/text.js';
import { isoTime, minuteMs } from '../../../values/time.js';
import { entriesAllowing } from '../../teams/domains.js';
import { type FieldName, fieldNames } from '../fields.js';
import { isProviderId } from '../payment.js';
import type { PreparedReport, SentSignature } from '../report.js';
import type { ExtraFields, Identifiers } from '../storedOrder.js';
import { idempotencyKeySchema } from './reportSchema.js';
import { readTouches } from './touches.js';

/** The sender of a report, and the times of its arrival. */
export interface ReportSender {
  teamId: Uuid;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The page's host; null for a report with an API key. */
  host: string | null;
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Further ids of the order, from a payment provider or shop system. */
  providerIds?: readonly string[];
  /** Time of the provider's last change to the reported data, as ISO 8601; null or undefined if unknown. */
  changedAt?: string | null;
  /** Only for a row of a shop's file: the id of the button press, or of the command's run, that stores it. */
  press?: string;
  /** The signature; only for a page that sent one. */
  signature?: SentSignature | undefined;
  /** Time of the report's first arrival; for a page the time of the call. ISO 8601 in UTC. */
  createdAt: string;
  /** Time for the id of a new order: now, in milliseconds. */
  idMs: number;
}

/** Most hosts whose domain entries are cached; some 300 bytes each, 16 kB for a made-up host of 127 labels. */
const hostsRemembered = 1_000;
const entriesOf = rememberResults(hostsRemembered, entriesAllowing);

/**
 * Prepares a valid report for storing: adds the ids of its order and its buyer, and null for each missing field.
 * @param secret the installation's secret, from which people's ids are derived
 * @throws ApiError `invalid_request` if the `Idempotency-Key` is invalid, or if `createdAt` is in the future or before 1990
 */
export function prepareReport(
  { report, extra }: { report: OrderReport; extra: ExtraFields | null },
  sender: ReportSender,
  secret: string,
): PreparedReport {
  const { teamId, keyHash, host, createdAt, changedAt = null, signature, idMs } = sender;
  const isFromPage = keyHash === null;
  const touches = readTouches(report.landings, { host, createdAt });
  const ids = identify(report, sender);
  // Each property by its name, and no spread: Node 20 took 15 us for an object that is spread among others.
  const prepared = {
    providerIds: ids.providerIds,
    reportId: ids.reportId,
    idempotencyKey: ids.idempotencyKey,
    id: newUuid(idMs),
    orderNumber: newOrderNumber(idMs),
    personId: personUuid(secret, teamId, report.email),
    email: report.email,
    host,
    createdAt: report.createdAt === undefined ? createdAt : placedAt(report.createdAt, idMs),
    changedAt: changedAt ?? timeOfChange(report.changedAt, idMs),
    keyHash,
    isDated: !isFromPage && report.createdAt !== undefined,
    shopOrderId: shopOrderIdOf(extra, report.orderId),
    domainEntries: host === null ? null : entriesOf(host),
    signature: isFromPage ? signature : undefined,
    ...(sender.press !== undefined && { press: sender.press }),
  } as PreparedReport;
  for (const name of fieldNames) setField(prepared, name, report[name as keyof OrderReport] ?? null);
  // Trimmed as in the tracking script: backends join first and last name with a space, even if both are empty.
  prepared.name = prepared.name?.trim() || null;
  prepared.firstTouch = touches.firstTouch;
  prepared.lastTouch = touches.lastTouch;
  prepared.extra = extra;
  return prepared;
}

/** Finds the shop's own id of the order in the extra field `shopOrderId`, which a page may send with the number. */
function shopOrderIdOf(extra: ExtraFields | null, orderId: string | undefined): string | null {
  const stated = extra?.shopOrderId;
  const id = typeof stated === 'string' || typeof stated === 'number' ? visibleId(String(stated)) : '';
  return id === '' || id === orderId || id.length > limits.id ? null : id;
}

/** Returns the time of a backend's change, in UTC; null if it is over five minutes ahead. */
function timeOfChange(stated: string | undefined, nowMs: number): string | null {
  const statedMs = stated === undefined ? Number.NaN : Date.parse(stated);
  return statedMs <= nowMs + aheadAtMostMs ? isoTime(statedMs) : null;
}

function setField(prepared: Partial<Record<FieldName, unknown>>, name: FieldName, value: unknown): void {
  prepared[name] = value;
}

/** Earlier times are placeholders, which programs write in the years 1, 1601, 1899, 1970 and 1980. */
const firstOrdersMs = Date.UTC(1990);
/** Tolerance for a backend's clock that is ahead of the database's. */
const aheadAtMostMs = 5 * minuteMs;

/**
 * Returns the stated time of an order, in UTC, but never a time in the future.
 * @param nowMs for a replayed report the time of the replay
 */
function placedAt(stated: string, nowMs: number): string {
  const statedMs = Date.parse(stated);
  if (statedMs >= firstOrdersMs && statedMs <= nowMs + aheadAtMostMs)
    return isoTime(Math.min(statedMs, nowMs));
  const message = statedMs < firstOrdersMs ? 'must be a time since 1990' : 'must be in the past';
  throw new ApiError('invalid_request', describeIssues({ issues: [{ path: ['createdAt'], message }] }));
}

/**
 * Picks the identifiers of a report. Pages and backends have separate namespaces, so that a stranger's page report cannot capture
 * the retry of a backend. A provider's id in `orderId` is also one of the `providerIds`.
 *
 * A page's `reportId` counts only if the report has no `orderId`. The SDK's retries are identical, so the `orderId` finds them, and
 * most orders need one index entry less. A report with an API key uses the header `Idempotency-Key`, or else the `reportId` of its
 * body.
 * @throws ApiError `invalid_request` if the header is invalid
 */
function identify(
  report: { orderId?: string | undefined; reportId?: string | undefined },
  {
    keyHash,
    idempotencyKey: header,
    providerIds = [],
  }: Pick<ReportSender, 'keyHash' | 'idempotencyKey' | 'providerIds'>,
): Identifiers {
  const orderId = report.orderId ?? null;
  const own = keyHash !== null && header !== undefined ? checkedIdempotencyKey(header) : report.reportId;
  const ids: Identifiers = {
    orderId,
    providerIds: withProviderId(providerIds, orderId),
    reportId: null,
    idempotencyKey: null,
  };
  if (own === undefined) return ids;
  // A backend may use the payment's id as its key. It is then an identifier of two kinds.
  if (keyHash !== null) ids.providerIds = withProviderId(ids.providerIds, own);
  if (keyHash !== null) ids.idempotencyKey = withoutEmail(own);
  else if (orderId === null) ids.reportId = withoutEmail(own);
  return ids;
}

const withProviderId = (providerIds: readonly string[], id: string | null): readonly string[] =>
  id !== null && isProviderId(id) && !providerIds.includes(id) ? [...providerIds, id] : providerIds;

function checkedIdempotencyKey(header: string): string {
  const key = idempotencyKeySchema.safeParse(header);
  if (key.success) return key.data;
  const { message } = key.error.issues[0]!;
  throw new ApiError('invalid_request', {
    message: `Invalid: Idempotency-Key. It ${message}.`,
    issues: [{ path: 'Idempotency-Key', message }],
  });
}
