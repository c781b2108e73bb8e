import { encodeId, type Uuid } from '../../../values/ids.js';
import type { Listeners } from '../../listener.js';
import { type RefusedRequest, refundNotStored } from '../refusedRequest.js';
import { statedFields } from './joinVersions.js';
import { type StatedObject, type StatedRefund, valuesOf } from './statement.js';

/** No field of a report. */
const notReported: ReadonlySet<string> = new Set([
  'personId',
  'unnamed',
  'earlier',
  'firstTouch',
  'lastTouch',
]);

/** Notifies listeners of an accepted report that has no order, after the commit. */
export function notifyUnplaced(listeners: Listeners, teamId: Uuid, report: RefusedRequest): void {
  for (const { onReportRefused } of listeners) void onReportRefused?.(teamId, report, true);
}

/** A page that was acknowledged, and is of no order since another buyer’s has its number: as the report that it was. */
export function displacedPage(teamId: Uuid, page: StatedObject): RefusedRequest {
  const { amount, extra, ...words } = statedFields(page);
  const stated = Object.entries(words).filter(([name]) => !notReported.has(name));
  const [reportId] = valuesOf(page, 'report');
  const value = {
    ...(extra ?? {}),
    ...Object.fromEntries(stated),
    teamId: encodeId('team', teamId),
    amount: Number(amount),
    ...(reportId !== undefined && { reportId }),
  };
  return {
    error: { code: 'order_conflict' },
    field: '',
    host: page.host ?? '',
    keyHash: null,
    idempotencyKey: null,
    text: JSON.stringify(value),
    value,
  };
}

/** A refund that has waited for its order as long as one may. */
export function expiredRefund(refund: StatedObject): RefusedRequest {
  const [stated] = refund.parts.refunds!.value as StatedRefund[];
  const { refundId, amount, currency, reason } = stated!;
  const [orderId] = valuesOf(refund, 'number');
  const message = 'names an order that was not stored within 30 days of the refund';
  return {
    error: { code: refundNotStored, issues: [{ path: 'orderId', message }] },
    field: 'orderId',
    host: '',
    keyHash: null,
    idempotencyKey: null,
    text: JSON.stringify({
      refundId,
      orderId,
      amount,
      currency,
      reason,
      payments: valuesOf(refund, 'provider'),
    }),
    // Read as an order, it would be taken for the stored one.
    value: null,
  };
}
