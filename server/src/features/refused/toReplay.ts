import { readSentReport } from '../../core/orders/readReport.js';
import type { StampedReport } from '../../core/orders/report.js';
import { readSignature } from '../../core/orders/signature.js';
import { stampReport } from '../../core/orders/stampReport.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { parseJson } from '../../values/json.js';
import { jsonBounds } from '../../values/limits.js';
import { correct, type MakeChanges, type RefusedChanges } from './correct.js';
import type { RefusedRow } from './refusedReport.js';

/** Turns a kept report into one to store. Throws the `ApiError` that refuses it. */
export function toReplay(
  entry: RefusedRow,
  {
    teamId,
    secret,
    changes,
    nowMs,
  }: { teamId: Uuid; secret: string; changes: RefusedChanges | MakeChanges | undefined; nowMs: number },
): StampedReport {
  const { keyHash, host, receivedAt } = entry;
  const isFromPage = keyHash === null;
  if (isFromPage && host === '') throw new ApiError('domain_not_allowed');
  const sent = readSent(entry);
  const body = changes ? correct(sent, changes, { teamId: encodeId('team', teamId), isFromPage }) : sent;
  const parsed = readSentReport(body, isFromPage);
  if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
  if (decodeId('team', parsed.report.teamId) !== teamId) throw new ApiError('team_mismatch');
  const checked = stampReport(
    parsed,
    {
      teamId,
      keyHash,
      host: isFromPage ? host : null,
      createdAt: receivedAt.toISOString(),
      idMs: nowMs,
      idempotencyKey: entry.idempotencyKey ?? undefined,
      signature: readSignature(body),
    },
    secret,
  );
  if ((checked.orderId ?? checked.reportId ?? checked.idempotencyKey) === null) {
    checked[isFromPage ? 'reportId' : 'idempotencyKey'] = encodeId('ref', entry.id);
  }
  return checked;
}

/** Reads the body of a kept report, which may be an event of a source and then any text. */
function readSent({ body }: RefusedRow): unknown {
  try {
    return parseJson(body, jsonBounds);
  } catch {
    throw new ApiError('invalid_json');
  }
}
