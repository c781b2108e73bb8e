import type { Identifier, StatedRefund, Statement } from '../../../core/orders/merge/statement.js';
import { repairText } from '../../../core/orders/receive/repair.js';
import type { Clock } from '../../../database/clock.js';
import { isStoredCurrency } from '../../../values/currency.js';
import { isDecimal, plainDecimal } from '../../../values/decimal.js';
import { withoutEmail } from '../../../values/email.js';
import { ApiError } from '../../../values/errors.js';
import { newUuid } from '../../../values/ids.js';
import { describeIssues } from '../../../values/issues.js';
import { amountAtMost, limits } from '../../../values/limits.js';
import { isoTime } from '../../../values/time.js';
import type { ShopSource } from '../source.js';
import { idOfSource, isName, statedTime } from './eventReport.js';
import type { ListedRefund, SourceRefund } from './sourceEvent.js';

const repairReason = repairText(limits.text);

/**
 * Converts the refunds that a shop lists for an order. A refund that cannot be stored is left out, because it must not
 * stop the order. Returns at most 500, the limit of an order.
 * @param listedAt time of the list, for refunds without a time
 */
export function listedRefunds(
  source: ShopSource,
  refunds: readonly ListedRefund[],
  listedAt: string | null,
  nowMs: number,
): StatedRefund[] {
  const storable = refunds.filter(({ refundId, amount }) => faultOf(refundId, amount) === null);
  return storable.slice(0, limits.refunds).map((refund) => toRefund(source, refund, listedAt, nowMs));
}

/**
 * Converts an event of one refund or dispute into a statement.
 * @throws ApiError `invalid_request` if values cannot be stored
 */
export function refundStatement(source: ShopSource, event: SourceRefund, clock: Clock): Statement {
  const { id, providerIds, refunds, isDispute, at, changedAt, state } = event;
  const nowMs = clock.nowMs();
  for (const { refundId, amount } of refunds) {
    const fault = faultOf(refundId, amount);
    if (fault) throw new ApiError('invalid_request', describeIssues({ issues: [fault] }));
  }
  const names = providerIds
    .map((key) => idOfSource(source, key))
    .filter(isName)
    .map((value): Identifier => ({ kind: 'provider', value }));
  const named = event.orderId === null ? null : source.orderIdPrefix + event.orderId;
  const number = named !== null && isName(named) ? named : null;
  if (number !== null) names.push({ kind: 'number', value: number });
  return {
    speaker: 'shop',
    kind: 'refund',
    // Stripe's ids are unique. A shop's refund ids are unique only within their order.
    object: number === null ? id : `${source.kind}_${number}_${id}`,
    names,
    arrived: newUuid(clock.idMs()),
    created: statedTime(at) ?? isoTime(nowMs),
    isDated: at !== null,
    version: statedTime(changedAt),
    stage: state === 'ended' ? 1 : 0,
    state,
    says: {},
    refunds: refunds.map((refund) => ({
      ...toRefund(source, refund, at, nowMs),
      ...(isDispute && { isDispute: true as const }),
    })),
  };
}

function toRefund(
  { orderIdPrefix }: ShopSource,
  { refundId, amount, currency, reason, at }: ListedRefund,
  listedAt: string | null,
  nowMs: number,
): StatedRefund {
  return {
    refundId: withoutEmail(orderIdPrefix + refundId),
    amount: typeof amount === 'number' ? plainDecimal(amount) : amount,
    currency: isStoredCurrency(currency?.toUpperCase()) ? currency!.toUpperCase() : null,
    reason: (repairReason(reason, [], () => {}) as string | undefined) ?? null,
    createdAt: statedTime(at) ?? statedTime(listedAt) ?? isoTime(nowMs),
  };
}

function faultOf(refundId: string, amount: number | string): { path: string[]; message: string } | null {
  if (!isName(refundId))
    return { path: ['refundId'], message: `must be a text of 1 to ${limits.id} characters` };
  const isNumber = typeof amount === 'number' || isDecimal(amount);
  if (isNumber && Number(amount) > 0 && Number(amount) <= amountAtMost) return null;
  return { path: ['amount'], message: `must be a number above 0, and at most ${amountAtMost}` };
}
