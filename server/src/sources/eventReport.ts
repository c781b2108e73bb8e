import { isProviderId } from '../orders/stampReport.js';
import { readDecimal } from '../values/decimal.js';
import { encodeId } from '../values/ids.js';
import { isoTime } from '../values/isoTime.js';
import { providers } from './providers.js';
import { type ShopSource, sourceKeyHash } from './source.js';
import type { SourceOrder } from './sourceEvent.js';

/** True when what an event tells is a test: the source's, or the shop's own. */
export function isTestOf({ isTest }: ShopSource, event: Pick<SourceOrder, 'isTest'>): boolean {
  return isTest || event.isTest === true;
}

/** Hash of the source's key, live or test, that vouches for an event. */
export function keyHashOf(source: ShopSource, event: Pick<SourceOrder, 'isTest'>): string {
  return sourceKeyHash(source.token, isTestOf(source, event) ? 'test' : 'live');
}

/** The report as the team's integrator would send it, with the source's own prefix before the order id. */
export function bodyOf(
  { kind, teamId, orderIdPrefix }: Pick<ShopSource, 'kind' | 'teamId' | 'orderIdPrefix'>,
  { report }: Pick<SourceOrder, 'report'>,
): Record<string, unknown> {
  const { orderId, amount } = report;
  return {
    source: providers[kind].source,
    ...report,
    ...(typeof orderId === 'string' && { orderId: orderIdPrefix + orderId }),
    teamId: encodeId('team', teamId),
    amount: typeof amount === 'string' ? (readDecimal(amount) ?? amount) : amount,
  };
}

/** A key with the source's prefix, unless a payment provider gave it: those of two shops are never alike. */
export function keyOfSource({ orderIdPrefix }: Pick<ShopSource, 'orderIdPrefix'>, key: string): string {
  return isProviderId(key) ? key : orderIdPrefix + key;
}

/** Time of an order: the provider's, unless that is none or lies ahead. */
export function timeOf(at: string | null, nowMs: number): string {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return isoTime(ms >= 0 && ms <= nowMs ? ms : nowMs);
}
