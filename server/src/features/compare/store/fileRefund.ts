import { toObject } from '../../../core/orders/merge/joinVersions.js';
import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import { statementsOfReport } from '../../../core/orders/merge/statementsOfReport.js';
import type { AuthorizedReport } from '../../../core/orders/report.js';
import { namingOf, orderOf } from '../../../core/orders/store/placeReport.js';
import { sayRefund } from '../../../core/refunds/sayRefund.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import type { Refunded } from '../read/readRefunded.js';

/** Thrown to write nothing. */
class KnownOrder extends Error {}

/**
 * Stores a new order of a file with its refund, in one transaction. A later comparison would find the order alone, and not that its
 * refund is missing. The refund gets the order's time, because the file does not state its own.
 * @returns the order's id; null if the order is stored already, which writes nothing
 */
export async function storeRefunded(
  place: PlaceStatements,
  teamId: Uuid,
  report: AuthorizedReport,
  refunded: Exclude<Refunded, 'some'>,
): Promise<Uuid | null> {
  const { id, orderNumber, isTest, press, createdAt } = report;
  const order = toObject(statementsOfReport(report)[0]!);
  const refundId = `file-${encodeId('ord', id)}`;
  const refund = sayRefund(
    {
      speaker: 'file',
      object: `file:${press}:${refundId}`,
      names: order.names.filter(({ kind }) => kind === 'number'),
    },
    { refundId, amount: refunded === 'all' ? null : refunded, reason: null, createdAt },
  );
  try {
    const { plan } = await place(teamId, isTest, {
      stated: [order, { ...toObject(refund), of: order.object }],
      newId: { id, orderNumber },
      check(planned) {
        if (orderOf(planned, order.object)?.before !== null) throw new KnownOrder();
      },
      ...namingOf(report),
    });
    return orderOf(plan, order.object)!.id;
  } catch (error) {
    if (error instanceof KnownOrder) return null;
    throw error;
  }
}
