import type { Issue, OrderReport } from '@orderbeacon/sdk/contract';
import { readTime } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import type { JudgedReport } from '../orders/judgedReport.js';
import { readReport } from '../orders/readReport.js';
import type { NewBuyerRow } from '../orders/sql/addOrders.js';
import { addBuyers, addOrders } from '../orders/sql/addOrders.js';
import { addRefund } from '../orders/sql/refund.js';
import { stampReport } from '../orders/stampReport.js';
import { describeRefused } from '../refused/describeRefused.js';
import { fieldOf } from '../refused/issues.js';
import { addRefused } from '../refused/sql/keepRefused.js';
import { encodeId, type Uuid } from '../values/ids.js';
import { isoTime } from '../values/isoTime.js';
import { describeIssues } from '../values/issues.js';
import { makeSampleOrders, makeSampleRefusals, type SampleOrder, type SampleRefusal } from './sampleMonth.js';

/** The team that the sample month is for. */
interface SampleTeam {
  teamId: Uuid;
  /** The installation's secret. */
  secret: string;
  /** The hash of the key of backends. */
  keyHash: string;
  nowMs: number;
}

/**
 * Stores a month of sample orders, with landings, refunds and some refused reports, all as tests. They skip the queues and
 * checks of reports, so that they cost the start of a server some 0.1 s. Inside a transaction, for a team without orders.
 */
export async function storeSamples(tx: Sql, sender: Omit<SampleTeam, 'nowMs'>): Promise<void> {
  const { teamId } = sender;
  const nowMs = await readTime(tx);
  const team = { ...sender, nowMs };
  const samples = makeSampleOrders(nowMs).map((sample) => ({ ...sample, order: toOrder(sample, team) }));
  const orders = samples.map(({ order }) => order);
  const buyers = new Map(orders.map((order) => [order.personId, toBuyer(order)]));
  await addBuyers(tx, teamId, [...buyers.values()]);
  await addOrders(tx, teamId, orders);
  for (const { refund, order } of samples) {
    if (!refund) continue;
    const { orderId, id } = order;
    const times = { isTest: true, createdAt: order.createdAt, isExact: true };
    await addRefund(
      tx,
      teamId,
      { refundId: `${orderId}-R`, orderId, paymentId: null, ...refund, ...times },
      id,
    );
  }
  await addRefused(
    tx,
    teamId,
    makeSampleRefusals(nowMs).map((refusal) => toRefused(refusal, teamId)),
  );
}

function toOrder(
  { report, by, createdMs }: SampleOrder,
  { teamId, secret, ...team }: SampleTeam,
): JudgedReport {
  const isFromPage = by !== 'backend';
  const checked = readReport({ teamId: encodeId('team', teamId), ...report }, isFromPage);
  if (checked.issues) throw new Error(describeIssues(checked).message);
  const sender = {
    teamId,
    keyHash: isFromPage ? null : team.keyHash,
    host: isFromPage ? 'localhost' : null,
    idempotencyKey: undefined,
    createdAt: isoTime(createdMs),
    idMs: Math.floor(team.nowMs),
  };
  const order = { ...stampReport(checked, sender, secret), isTest: true };
  return by === 'both' ? { ...order, signedAsTest: true } : order;
}

function toBuyer({ personId, email, name }: JudgedReport): NewBuyerRow {
  return { id: personId, email, name, isNameByKey: false };
}

function toRefused({ host, body, receivedMs }: SampleRefusal, teamId: Uuid) {
  const value = { teamId: encodeId('team', teamId), ...body } as Partial<OrderReport>;
  const read = readReport({ ...value }, true);
  const issues: Issue[] | undefined = read.issues && describeIssues(read).issues;
  const request = {
    error: { code: issues ? 'invalid_request' : 'domain_not_allowed', issues },
    field: fieldOf(issues),
    host,
    keyHash: null,
    idempotencyKey: null,
    text: JSON.stringify(value),
    value,
    isCut: false,
  };
  return { ...describeRefused(request, receivedMs), isOwn: issues !== undefined };
}
