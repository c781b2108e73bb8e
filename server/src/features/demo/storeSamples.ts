import { createPlaceStatements } from '../../core/orders/merge/placeStatements.js';
import { prepareReport } from '../../core/orders/receive/prepareReport.js';
import { readReport } from '../../core/orders/receive/readReport.js';
import { addOrders } from '../../core/orders/store/sql/addOrders.js';
import { addBuyers } from '../../core/people/sql/person.js';
import { createStoreRefund } from '../../core/refunds/storeRefund.js';
import { readTime } from '../../database/clock.js';
import type { Sql } from '../../database/connection/connect.js';
import { withoutTurns } from '../../database/turns.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { isoTime } from '../../values/time.js';
import { makeSampleOrders } from './sampleMonth.js';

/**
 * Stores a month of sample orders as tests, with landings and refunds. They skip the queues and checks of reports, so
 * that they delay a server's start by only some 0.1 s. Call it inside a transaction, for a team without orders.
 * @param secret the installation's secret
 */
export async function storeSamples(tx: Sql, teamId: Uuid, secret: string): Promise<void> {
  const nowMs = await readTime(tx);
  const samples = makeSampleOrders(nowMs).map(({ report, createdMs, isConfirmed, refund }) => {
    const checked = readReport({ teamId: encodeId('team', teamId), ...report }, true);
    if (checked.issues) throw new Error(describeIssues(checked).message);
    const sender = {
      teamId,
      keyHash: null,
      host: 'localhost',
      idempotencyKey: undefined,
      createdAt: isoTime(createdMs),
      idMs: Math.floor(nowMs),
    };
    const order = { ...prepareReport(checked, sender, secret), isTest: true };
    return { refund, order: isConfirmed ? { ...order, signedAsTest: true } : order };
  });
  const orders = samples.map(({ order }) => order);
  const buyers = orders.map(
    ({ personId: id, email, name }) => [id, { id, email, name, isNameByKey: false }] as const,
  );
  await addBuyers(tx, teamId, [...new Map(buyers).values()]);
  await addOrders(tx, teamId, orders);
  const storeRefund = createStoreRefund(withoutTurns(tx), createPlaceStatements(tx, []));
  for (const { refund, order } of samples) {
    if (!refund) continue;
    const { orderId, createdAt } = order;
    await storeRefund(teamId, {
      refundId: `${orderId}-R`,
      orderId: orderId!,
      isTest: true,
      createdAt,
      ...refund,
    });
  }
}
