import type { Order, OrderReport } from '@orderbeacon/sdk/contract';
import type { Clock } from '../../../database/clock.js';
import type { InTurn } from '../../../database/turns.js';
import { allowEveryPage } from '../../../http/cors.js';
import {
  type Exchange,
  type Handle,
  type RequestFacts,
  type Sender,
  success,
} from '../../../http/exchange.js';
import { readJson } from '../../../http/readBody.js';
import { rememberResults } from '../../../values/boundedMap.js';
import { ApiError } from '../../../values/errors.js';
import { decodeId, nilUuid } from '../../../values/ids.js';
import { describeIssues } from '../../../values/issues.js';
import { dayMs, isoTime } from '../../../values/time.js';
import type { Listeners } from '../../listener.js';
import type { RecordKeyUse } from '../../teams/recordKeyUse.js';
import type { IdentifySender, SenderCache } from '../../teams/senders.js';
import { findDifference, warnOfChange, warnOfMissing } from '../store/answer.js';
import { readSignature } from '../store/signature.js';
import type { StoreReport } from '../store/storeReport.js';
import { dropOwnReferrers } from './dropOwnReferrers.js';
import { prepareReport } from './prepareReport.js';
import { readSentReport } from './readReport.js';
import { sdkVersionOf } from './reportSchema.js';

/** Team ids whose UUID is cached; some 300 bytes each. */
const teamIdsCached = 1_000;
const uuidOf = rememberResults(teamIdsCached, (teamId) => decodeId('team', teamId));

export interface PostOrderDeps {
  /** The installation's secret, from which people's ids are derived. */
  secret: string;
  clock: Clock;
  identifySender: IdentifySender['identifySender'];
  requireTeam: SenderCache['requireTeam'];
  inTurn: InTurn;
  storeReport: StoreReport;
  listeners: Listeners;
  recordKeyUse: RecordKeyUse;
}

/**
 * `POST /svc-api/v1/orders` (contract, section 4.3). If the request has an API key, the key decides, and a wrong one is refused
 * before anything else. Otherwise the page's host authorizes the report.
 */
export function postOrder({
  secret,
  clock,
  identifySender,
  requireTeam,
  inTurn,
  storeReport,
  listeners,
  recordKeyUse,
}: PostOrderDeps): Handle {
  return async function postOrder(exchange) {
    allowEveryPage(exchange); // CORS, on refusals too
    const sender = await identifySender(exchange); // 401, 403, 429
    const body = await readReportBody(exchange); // 400, 413, 415
    const { facts, incoming } = exchange;
    if (sender.keyHash === null) facts.sdkVersion = sdkVersionOf(body);
    const parsed = parseReport(body, sender); // 400
    const { report, warnings } = parsed;
    const teamId = teamOf(report, sender); // 403
    // Logs only valid ids: other text could hold personal data, such as an email.
    if (teamId !== nilUuid) facts.team = report.teamId;
    const { keyHash, host } = sender;
    const ageMs = keyHash === null ? reportAgeMs(incoming.url!, report.reportId) : 0;
    const idempotencyKey = incoming.headers['idempotency-key'] as string | undefined;
    // One reading for both times, because an order that is older than its id looks dated by its backend.
    const nowMs = clock.nowMs();
    // Each field by its name: a spread took 5 us here, as much as everything that uses the object.
    const reportSender = {
      keyHash,
      host,
      teamId,
      idempotencyKey,
      signature: readSignature(body),
      createdAt: isoTime(nowMs - ageMs),
      idMs: clock.idMs(nowMs),
    };
    const prepared = prepareReport(parsed, reportSender, secret); // 400
    if (keyHash === null) await requireTeam(teamId); // 403
    const toStore = keyHash === null ? prepared : await dropOwnReferrers(inTurn, teamId, prepared); // 503
    const order = await storeReport(teamId, toStore); // 401, 403, 409, 422, 503; after the commit
    recordOutcome(facts, order, sender);
    const difference = order.isNew ? undefined : findDifference(order, toStore);
    const id = order.isNew ? null : decodeId('ord', order.id);
    if (id !== null)
      for (const each of listeners)
        each.onReportRepeated?.(exchange, teamId, { id, visitorId: toStore.visitorId }, difference);
    // A page gets no such warning, because its buyer cannot correct the report.
    if (difference && keyHash !== null) warnings.push(difference);
    if (order.warnings) warnings.push(...order.warnings);
    warnOfMissing(prepared, order, warnings);
    warnOfChange(report.changedAt, prepared, warnings);
    if (keyHash !== null) recordKeyUse(keyHash);
    if (keyHash === null && report.reportId !== undefined) order.reportId = report.reportId;
    return { status: 200, body: success(warnings.length === 0 ? order : { ...order, warnings }) };
  };
}

const types = ['application/json', 'text/plain'];

/**
 * Finds `reportId`, which the script puts first. If the answer to a too long report names it, the script sends the report again
 * without items.
 */
const calledReport = /"reportId":"([^"\\]+)"/;

/**
 * Reads the body of an order report, at most 64 KiB. Puts the body into the exchange, so that a refused report can be kept. Of a
 * longer body it puts only the `reportId` there.
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readReportBody(exchange: Exchange): Promise<unknown> {
  const onTooLong = (part: Buffer) => {
    exchange.sent = { text: '', value: { reportId: calledReport.exec(part.toString())?.[1] } };
  };
  const sent = await readJson(exchange.incoming, types, onTooLong, exchange.clientOf);
  exchange.sent = sent;
  return sent.value;
}

/** Reads a report. A page's report is repaired, with a warning for each field. */
function parseReport(body: unknown, { keyHash }: Sender) {
  const parsed = readSentReport(body, keyHash === null);
  if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
  return parsed;
}

/**
 * Returns the team of a report. With an API key it must be the key's team. A page can name any team: its domains are checked when
 * the report is stored.
 * @returns `nilUuid`, which no team has, if a page names no valid team
 */
function teamOf({ teamId }: OrderReport, sender: Sender) {
  const named = uuidOf(teamId) ?? nilUuid;
  if (sender.keyHash !== null && named !== sender.teamId) throw new ApiError('team_mismatch');
  return named;
}

/**
 * Longest age of a call, because a stub of the script may keep calls for long. A greater age is ignored: the visitor's clock was
 * probably changed, mostly by decades.
 */
const ageMsAtMost = 730 * dayMs;
/** Matches the start of the script's `reportId`: the time of the call in base 36. It has eight digits until the year 2059. */
const calledAt = /^orderbeacon:([\da-z]{8})/;

/**
 * Measures how long ago a page made the call of its report, in milliseconds. It subtracts two times of the page's clock: that of
 * the call, in the `reportId`, from that of the attempt, in the query of the URL.
 * @param url as in the request line
 * @returns 0 if one time is missing, or if they are over two years apart
 */
function reportAgeMs(url: string, reportId: string | undefined): number {
  const [, called] = calledAt.exec(reportId ?? '') ?? [];
  const sentMs = Number(url.slice(url.indexOf('?') + 1));
  const ageMs = called === undefined ? 0 : sentMs - Number.parseInt(called, 36);
  return ageMs > 0 && ageMs <= ageMsAtMost ? ageMs : 0;
}

function recordOutcome(facts: RequestFacts, { isNew, isTest }: Order, { keyHash }: Sender): void {
  facts.outcome = isNew ? 'new' : 'known';
  facts.mode = isTest ? 'test' : 'live';
  facts.reportedBy = keyHash === null ? 'browser' : 'key';
}
