import { isProviderId } from '../../../core/orders/payment.js';
import { readDecimal } from '../../../values/decimal.js';
import { encodeId } from '../../../values/ids.js';
import { limits } from '../../../values/limits.js';
import { isStorable } from '../../../values/text.js';
import { isoTime } from '../../../values/time.js';
import { providers } from '../providers.js';
import { type ShopSource, sourceKeyHash } from '../source.js';
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
export function idOfSource({ orderIdPrefix }: Pick<ShopSource, 'orderIdPrefix'>, key: string): string {
  return isProviderId(key) ? key : orderIdPrefix + key;
}

/** True for an id that can be stored as a name of an order. */
export const isName = (id: string): boolean => id.length <= limits.id && isStorable(id);

/** After it a year has more digits than PostgreSQL reads in ISO 8601. */
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/** A provider's time as it was sent, which is compared with its others, whatever our clock says; null for none. */
export function statedTime(at: string | null): string | null {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return ms >= 0 && ms <= latestMs ? isoTime(ms) : null;
}

/** A provider's time to show: now where it is none, or lies ahead of our clock. Never compare it with another one. */
export function shownTime(at: string | null, nowMs: number): string {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return isoTime(ms >= 0 && ms <= nowMs ? ms : nowMs);
}
