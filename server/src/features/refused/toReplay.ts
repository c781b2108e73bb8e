import { prepareReport } from '../../core/orders/receive/prepareReport.js';
import { readSentReport } from '../../core/orders/receive/readReport.js';
import type { PreparedReport } from '../../core/orders/report.js';
import { readSignature } from '../../core/orders/store/signature.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { parseJson } from '../../values/json.js';
import { jsonBounds } from '../../values/limits.js';
import { correct, type MakeChanges, type RefusedChanges } from './correct.js';
import type { RefusedRow } from './refusedReport.js';

/** Converts a kept report into one to store. Throws the `ApiError` with which it is refused. */
export function toReplay(
  entry: RefusedRow,
  {
    teamId,
    secret,
    changes,
    nowMs,
  }: { teamId: Uuid; secret: string; changes: RefusedChanges | MakeChanges | undefined; nowMs: number },
): PreparedReport {
  const { keyHash, host, receivedAt, statement } = entry;
  const isFromPage = keyHash === null;
  // A report of a shop or a page is repaired, as when it arrived.
  const isRepaired = isFromPage || statement !== null;
  if (isFromPage && host === '') throw new ApiError('domain_not_allowed');
  const sent = readSent(entry);
  const body = changes
    ? correct(sent, changes, { teamId: encodeId('team', teamId), isFromPage: isRepaired })
    : sent;
  const parsed = readSentReport(body, isRepaired);
  if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
  if (decodeId('team', parsed.report.teamId) !== teamId) throw new ApiError('team_mismatch');
  const checked = prepareReport(
    parsed,
    {
      teamId,
      keyHash,
      host: isFromPage ? host : null,
      createdAt: statement?.createdAt ?? receivedAt.toISOString(),
      idMs: nowMs,
      ...(statement && { providerIds: statement.keys, changedAt: statement.changedAt }),
      idempotencyKey: statement ? undefined : (entry.idempotencyKey ?? undefined),
      signature: readSignature(body),
    },
    secret,
  );
  if (statement) {
    const ofShop = changes ? { ...statement.ofShop, isCorrected: true as const } : statement.ofShop;
    return { ...checked, ofShop, isDated: statement.isDated };
  }
  if ((checked.orderId ?? checked.reportId ?? checked.idempotencyKey) === null) {
    checked[isFromPage ? 'reportId' : 'idempotencyKey'] = encodeId('ref', entry.id);
  }
  return checked;
}

/** Parses the body of a kept report, which may be any text if a source sent it. @throws ApiError `invalid_json` */
function readSent({ body }: RefusedRow): unknown {
  try {
    return parseJson(body, jsonBounds);
  } catch {
    throw new ApiError('invalid_json');
  }
}
