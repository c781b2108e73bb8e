import type { Context, Handler } from 'hono';
import { entriesAllowing } from '../domains.js';
import { ApiError } from '../errors.js';
import type { GroupCommits } from '../groupCommits.js';
import { checkOrigin } from '../http/checkOrigin.js';
import type { AppEnv } from '../http/context.js';
import { setCorsHeaders } from '../http/cors.js';
import type { LimitReports } from '../http/limitReports.js';
import type { LiveKeys } from '../http/liveKeys.js';
import { readJson } from '../http/readJson.js';
import { readKeyHash } from '../http/readKey.js';
import { replyData } from '../http/reply.js';
import { decodeId, newOrderNumber, newUuid, nilUuid, personUuid } from '../ids.js';
import { identify } from '../orders/identifiers.js';
import { checkReport } from '../schemas/checkReport.js';
import { describeIssues } from '../schemas/issues.js';
import { limits } from '../schemas/limits.js';
import { sdkVersionOf } from '../schemas/order.js';

/** What the order route needs. */
export interface PostOrderDeps {
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  liveKeys: LiveKeys;
  submitReport: GroupCommits['submitReport'];
  countReport: LimitReports;
}

/**
 * `POST /svc-api/v1/orders` (contract, section 4.3). A key that was sent is what counts, and a wrong one is
 * told before anything else; without one the page's host vouches for the report.
 */
export function postOrder({ secret, liveKeys, submitReport, countReport }: PostOrderDeps): Handler<AppEnv> {
  return async function postOrder(c) {
    setCorsHeaders(c);
    const authorization = c.req.header('authorization');
    if (authorization === undefined) countReport(c);
    const keyHash = readKeyHash(authorization);
    const host = keyHash === null ? checkOrigin(c.req.header('origin'), c.req.header('referer')) : null;

    const report = () => readReport(c, keyHash);
    const { teamId, warnings, ...fields } =
      keyHash === null ? await report() : await liveKeys.refuseDeadFirst(keyHash, report);
    const outcome = await submitReport(teamId, {
      id: newUuid(),
      orderNumber: newOrderNumber(),
      personId: personUuid(secret, teamId, fields.email),
      ...fields,
      createdAt: new Date().toISOString(),
      keyHash,
      domainEntries: host === null ? null : entriesAllowing(host),
    });
    if (outcome instanceof Error) throw outcome;
    c.set('outcome', outcome.isNew ? 'new' : 'known');
    return replyData(c, warnings.length === 0 ? outcome : { ...outcome, warnings });
  };
}

/** Reads and checks the body, and fills in what it may leave out. */
async function readReport(c: Context<AppEnv>, keyHash: string | null) {
  const body = await readJson(c, ['application/json', 'text/plain'], limits.bodyBytes);
  const isFromPage = keyHash === null;
  const sdkVersion = isFromPage ? sdkVersionOf(body) : undefined;
  if (sdkVersion !== undefined) c.set('sdkVersion', sdkVersion);
  const { report, warnings, error } = checkReport(body, isFromPage);
  if (error) throw new ApiError('invalid_request', describeIssues(error));
  c.set('team', report.teamId);
  return {
    teamId: decodeId('team', report.teamId) ?? nilUuid,
    email: report.email,
    name: report.name ?? null,
    ...identify(report, { hasKey: !isFromPage, header: c.req.header('idempotency-key') }),
    amount: report.amount,
    currency: report.currency ?? 'USD',
    source: report.source ?? (isFromPage ? 'OTHER' : 'MANUAL'),
    items: report.items ?? null,
    visitorId: report.visitorId ?? null,
    warnings,
  };
}
