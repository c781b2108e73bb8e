import type { OrderReport } from '@orderbeacon/sdk/contract';
import { entriesAllowing } from '../teams/domains.js';
import { rememberResults } from '../values/boundedMap.js';
import { newOrderNumber, newUuid, personUuid, type Uuid } from '../values/ids.js';
import { identify } from './identifiers.js';
import type { CheckedReport } from './sql/reportOrders.js';

/** Who sent a report, and when. */
export interface ReportSender {
  teamId: Uuid;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The page's host; null for a report with a key. */
  host: string | null;
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** When the report came first, as ISO 8601 in UTC. */
  createdAt: string;
}

/** Some 300 bytes each. */
const hostsRemembered = 1_000;
const entriesOf = rememberResults(hostsRemembered, entriesAllowing);

/**
 * Fills in what a valid report may leave out, and gives it the ids that its order and its buyer will have.
 * @param secret the installation's, which people's ids are made with
 * @throws ApiError `invalid_request` when the `Idempotency-Key` is out of bounds
 */
export function toCheckedReport(
  report: OrderReport,
  { teamId, keyHash, host, idempotencyKey, createdAt }: ReportSender,
  secret: string,
): CheckedReport {
  const isFromPage = keyHash === null;
  return {
    id: newUuid(),
    orderNumber: newOrderNumber(),
    personId: personUuid(secret, teamId, report.email),
    email: report.email,
    name: report.name ?? null,
    ...identify(report, { hasKey: !isFromPage, header: idempotencyKey }),
    amount: report.amount,
    currency: report.currency ?? 'USD',
    source: report.source ?? (isFromPage ? 'OTHER' : 'MANUAL'),
    items: report.items ?? null,
    visitorId: report.visitorId ?? null,
    host,
    createdAt,
    keyHash,
    domainEntries: host === null ? null : entriesOf(host),
  };
}
