import type { LineItem, OrderReport, Source } from '@orderbeacon/sdk/contract';
import { entriesAllowing } from '../teams/domains.js';
import { rememberResults } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { newOrderNumber, newUuid, personUuid, type Uuid } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import { identify } from './identifiers.js';
import type { SentSignature } from './signature.js';
import type { ExtraFields, Identifiers, StoredOrder } from './storedOrder.js';
import { readTouches, type Touches } from './touches.js';

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
  keys?: readonly string[];
  /** Time of the provider's last change to what the report says, as ISO 8601; null or undefined where there is none. */
  changedAt?: string | null;
  /** Of a page that sent one. */
  signature?: SentSignature | undefined;
  /** Time at which the report first came, as ISO 8601 in UTC. */
  createdAt: string;
  /** Time for the id of a new order: the one at which it is stored. */
  idMs: number;
}

/** A checked report with every id that its order and its buyer may need, ready to be stored. */
export interface CheckedReport extends Identifiers {
  id: Uuid;
  orderNumber: string;
  /** Follows from team and email, so it is known before the person is. */
  personId: Uuid;
  email: string;
  name: string | null;
  amount: number;
  currency: string;
  source: Source;
  items: LineItem[] | null;
  visitorId: string | null;
  touches: Touches | null;
  extra: ExtraFields | null;
  /** The page's host; null for a report with a key. */
  host: string | null;
  createdAt: string;
  /** SHA-256 of the API key that vouches for the report; null for a page's report. */
  keyHash: string | null;
  /** Ids of a payment provider or shop system: all reports with one of them are one order. */
  keys: readonly string[];
  /** Of the provider's last change, as ISO 8601: the later report counts. Null where the report does not say. */
  changedAt: string | null;
  /** Set for a payment that its provider reports; its `idempotencyKey` is the id of the payment. */
  isOfPayment?: true;
  /** For a page's report the domain entries that would allow its host, the most exact first. */
  domainEntries: string[] | null;
  /** A page's signature that is to be checked. */
  signature?: SentSignature | undefined;
  /** True for a report that a signing key for tests vouches for, false for one of a live key; undefined for all others. */
  signedAsTest?: boolean | undefined;
  /** Of a signed report; see `StoredOrder`. */
  pageFields?: StoredOrder['pageFields'];
}

/** Some 300 bytes each. */
const hostsRemembered = 1_000;
const entriesOf = rememberResults(hostsRemembered, entriesAllowing);

/**
 * Fills in the fields that a valid report may leave out, and gives it the ids that its order and its buyer will have.
 * @param secret the installation's secret, which people's ids are made with
 * @throws ApiError `invalid_request` when the `Idempotency-Key` is out of bounds, or `createdAt` lies ahead
 */
export function stampReport(
  { report, extra }: { report: OrderReport; extra: ExtraFields | null },
  {
    teamId,
    keyHash,
    host,
    idempotencyKey,
    keys = [],
    changedAt = null,
    signature,
    createdAt,
    idMs,
  }: ReportSender,
  secret: string,
): CheckedReport {
  const isFromPage = keyHash === null;
  return {
    id: newUuid(idMs),
    orderNumber: newOrderNumber(),
    personId: personUuid(secret, teamId, report.email),
    email: report.email,
    // As the tracking script does: backends join first and last name with a space, though both are empty.
    name: report.name?.trim() || null,
    ...identify(report, { hasKey: !isFromPage, header: keys[0] ?? idempotencyKey }),
    keys,
    changedAt,
    ...(keys.length > 0 && { isOfPayment: true as const }),
    amount: report.amount,
    currency: report.currency ?? 'USD',
    source: report.source ?? (isFromPage ? 'OTHER' : 'MANUAL'),
    items: report.items ?? null,
    visitorId: report.visitorId ?? null,
    touches: readTouches(report.landings, { host, createdAt }),
    extra,
    host,
    createdAt: report.createdAt === undefined ? createdAt : past(report.createdAt, createdAt),
    keyHash,
    domainEntries: host === null ? null : entriesOf(host),
    signature: isFromPage ? signature : undefined,
  };
}

/** The time that a backend says an order was placed at, in UTC. */
function past(said: string, now: string): string {
  const time = new Date(said).toISOString();
  if (time <= now) return time;
  const issue = { path: ['createdAt'], message: 'must be in the past' };
  throw new ApiError('invalid_request', describeIssues({ issues: [issue] }));
}
