import { encodeId, type Uuid } from '../../../values/ids.js';
import type { Listeners } from '../../listener.js';
import { type RefusedRequest, refundNotStored } from '../refusedRequest.js';
import { statedFields } from './joinVersions.js';
import { type StatedObject, type StatedRefund, valuesOf } from './statement.js';

/** Fields of a statement that a report does not have under this name. */
const notReported: ReadonlySet<string> = new Set([
  'personId',
  'unnamed',
  'earlier',
  'firstTouch',
  'lastTouch',
]);

/** Notifies listeners, after the commit, of an accepted report that has no order. */
export function notifyUnplaced(listeners: Listeners, teamId: Uuid, report: RefusedRequest): void {
  for (const { onReportRefused } of listeners) void onReportRefused?.(teamId, report, true);
}

/** Turns a set-aside page back into its report. It was accepted, but now another buyer’s order has its number. */
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

/** Turns a refund that has waited too long for its order into a refused report. */
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
    // Not a value: it would be read as a report, and match the stored order.
    value: null,
  };
}
