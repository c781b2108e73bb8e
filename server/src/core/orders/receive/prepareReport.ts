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

/** The sender of a report, and when it came. */
export interface ReportSender {
  teamId: Uuid;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The page's host; null for a report with a key. */
  host: string | null;
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Ids of a payment provider or shop system by which the order is known, too. */
  providerIds?: readonly string[];
  /** Time of the provider's last change to what the report says, as ISO 8601; null or undefined where there is none. */
  changedAt?: string | null;
  /** The press of a button that stores a row of a shop's file. */
  press?: string;
  /** Of a page that sent one. */
  signature?: SentSignature | undefined;
  /** Time at which the report first came, and of a page at which it made the call, as ISO 8601 in UTC. */
  createdAt: string;
  /** Time for the id of a new order: the one at which it is stored. */
  idMs: number;
}

/** Some 300 bytes each; 16 kB of a host that somebody has made up of 127 labels. */
const hostsRemembered = 1_000;
const entriesOf = rememberResults(hostsRemembered, entriesAllowing);

/**
 * Gives a valid report the ids that its order and its buyer will have, and null for each field that it left out.
 * @param secret the installation's secret, which people's ids are made with
 * @throws ApiError `invalid_request` when the `Idempotency-Key` is out of bounds, or `createdAt` lies ahead or before 1990
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
  // As the tracking script does: backends join first and last name with a space, though both are empty.
  prepared.name = prepared.name?.trim() || null;
  prepared.firstTouch = touches.firstTouch;
  prepared.lastTouch = touches.lastTouch;
  prepared.extra = extra;
  return prepared;
}

/** The shop's own id of the order, which a page may say beside the number. */
function shopOrderIdOf(extra: ExtraFields | null, orderId: string | undefined): string | null {
  const stated = extra?.shopOrderId;
  const id = typeof stated === 'string' || typeof stated === 'number' ? visibleId(String(stated)) : '';
  return id === '' || id === orderId || id.length > limits.id ? null : id;
}

/** The time of a backend's change, in UTC; null for one that lies ahead, which counts as none. */
function timeOfChange(stated: string | undefined, nowMs: number): string | null {
  const statedMs = stated === undefined ? Number.NaN : Date.parse(stated);
  return statedMs <= nowMs + aheadAtMostMs ? isoTime(statedMs) : null;
}

function setField(prepared: Partial<Record<FieldName, unknown>>, name: FieldName, value: unknown): void {
  prepared[name] = value;
}

/** Before it are the times that programs write for none, of the years 1, 1601, 1899, 1970 and 1980. */
const firstOrdersMs = Date.UTC(1990);
/** The clock of a backend may be ahead of the database's by this much. */
const aheadAtMostMs = 5 * minuteMs;

/** The time that a backend says an order was placed at, in UTC. It may have come since a report that is replayed was refused. */
function placedAt(stated: string, nowMs: number): string {
  const statedMs = Date.parse(stated);
  if (statedMs >= firstOrdersMs && statedMs <= nowMs + aheadAtMostMs)
    return isoTime(Math.min(statedMs, nowMs));
  const message = statedMs < firstOrdersMs ? 'must be a time since 1990' : 'must be in the past';
  throw new ApiError('invalid_request', describeIssues({ issues: [{ path: ['createdAt'], message }] }));
}

/**
 * Picks the identifiers of a report. Pages and backends have namespaces of their own, so that nothing that a stranger
 * puts into a page's report can capture the retry of a backend. A provider's id as `orderId` is one of the keys, too.
 *
 * A page's `reportId` counts only where the report has no `orderId`. The SDK's retries are identical, so the `orderId`
 * finds them, and most orders need one index entry less. A report with a key has the header `Idempotency-Key`, or else
 * the `reportId` of its body.
 * @throws ApiError `invalid_request` when the header is out of bounds
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
  // A backend may take the payment's id for its key: it is a name of two kinds then.
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
