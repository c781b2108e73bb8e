import type { DirectAnswer } from '../http/answerDirectly.js';
import { setCorsHeaders } from '../http/cors.js';
import type { Exchange } from '../http/exchange.js';
import type { LimitReports } from '../http/limitReports.js';
import { success } from '../http/reply.js';
import { checkOrigin } from '../teams/checkOrigin.js';
import type { LastSeen } from '../teams/lastSeen.js';
import type { LiveKeys } from '../teams/liveKeys.js';
import { readKeyHash } from '../teams/readKey.js';
import { rememberResults } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { decodeId, nilUuid } from '../values/ids.js';
import { isoTime } from '../values/isoTime.js';
import { describeIssues } from '../values/issues.js';
import { checkReport } from './checkReport.js';
import { readReportBody } from './readReportBody.js';
import { sdkVersionOf } from './reportSchema.js';
import { type ReportSender, stampReport } from './stampReport.js';
import type { StoreReport } from './storeReport.js';

/** Some 300 bytes each. */
const remembered = 1_000;
const uuidOf = rememberResults(remembered, (teamId) => decodeId('team', teamId));

/** What the order route needs. */
export interface PostOrderDeps {
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  liveKeys: LiveKeys;
  submitReport: StoreReport;
  countReport: LimitReports;
  lastSeen: LastSeen;
}

/**
 * `POST /svc-api/v1/orders` (contract, section 4.3). A key that was sent is what counts, and a wrong one is
 * told before anything else; without one the page's host vouches for the report.
 */
export function postOrder({ secret, liveKeys, submitReport, countReport, lastSeen }: PostOrderDeps) {
  return async function postOrder(c: Exchange): Promise<DirectAnswer> {
    setCorsHeaders(c);
    const { authorization, origin, referer } = c.env.incoming.headers;
    const keyHash = readKeyHash(authorization);
    // A key that nobody knows is made up as easily as no key.
    if (keyHash === null) countReport(c, 'orders');
    else if (!liveKeys.isKnown(keyHash)) countReport(c, 'keys');
    const host = keyHash === null ? checkOrigin(origin, referer) : null;
    if (keyHash !== null) c.set('key', { keyHash, teamId: await liveKeys.requireTeam(keyHash) });

    const { teamId, checked, warnings } =
      keyHash === null
        ? await readReport(c, { keyHash, host })
        : await liveKeys.refuseDeadFirst(keyHash, () => readKeyReport(c, keyHash));
    const order = await submitReport(teamId, checked);
    c.set('outcome', order.isNew ? 'new' : 'known');
    const sdkVersion = c.get('sdkVersion');
    if (keyHash !== null) lastSeen.key(keyHash);
    else if (sdkVersion !== undefined) lastSeen.sdk(teamId, sdkVersion);
    c.set('stored', {
      mode: order.isTest ? 'test' : 'live',
      reportedBy: keyHash === null ? 'browser' : 'key',
    });
    return { status: 200, body: success(warnings.length === 0 ? order : { ...order, warnings }) };
  };

  /** Reads a report that came with a key; it never takes a turn of another team than the key's. */
  async function readKeyReport(c: Exchange, keyHash: string) {
    const report = await readReport(c, { keyHash, host: null });
    if (report.teamId !== c.get('key').teamId) throw new ApiError('team_mismatch');
    return report;
  }

  /** Reads and checks the body, and fills in what it may leave out. */
  async function readReport(c: Exchange, sender: Pick<ReportSender, 'keyHash' | 'host'>) {
    const body = await readReportBody(c);
    const isFromPage = sender.keyHash === null;
    const sdkVersion = isFromPage ? sdkVersionOf(body) : undefined;
    if (sdkVersion !== undefined) c.set('sdkVersion', sdkVersion);
    const { report, warnings, error } = checkReport(body, isFromPage);
    if (error) throw new ApiError('invalid_request', describeIssues(error));
    const known = uuidOf(report.teamId);
    // What is no id can be anything, an email too: it is not for the log.
    if (known !== null) c.set('team', report.teamId);
    const teamId = known ?? nilUuid;
    const idempotencyKey = c.req.header('idempotency-key');
    const { keyHash, host } = sender;
    // Each by its name: a spread took 5 us here, as much as all that it is handed to.
    const checked = stampReport(
      report,
      { keyHash, host, teamId, idempotencyKey, createdAt: isoTime() },
      secret,
    );
    return { teamId, checked, warnings };
  }
}
