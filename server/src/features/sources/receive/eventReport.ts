import { isProviderId } from '../../../core/orders/payment.js';
import { readDecimal } from '../../../values/decimal.js';
import { encodeId } from '../../../values/ids.js';
import { limits } from '../../../values/limits.js';
import { isStorable } from '../../../values/text.js';
import { isoTime } from '../../../values/time.js';
import { providers } from '../providers.js';
import { type ShopSource, sourceKeyHash } from '../source.js';
import type { SourceOrder } from './sourceEvent.js';

/** @returns true if the source or the event itself is a test */
export function isTestOf({ isTest }: ShopSource, event: Pick<SourceOrder, 'isTest'>): boolean {
  return isTest || event.isTest === true;
}

/** Returns the hash of the source's API key for the event's mode. */
export function keyHashOf(source: ShopSource, event: Pick<SourceOrder, 'isTest'>): string {
  return sourceKeyHash(source.token, isTestOf(source, event) ? 'test' : 'live');
}

/** Builds the report as the team's integrator would send it. The order id has the source's prefix. */
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

/** Adds the source's prefix to an id. An id of a payment provider stays, because those of two shops never collide. */
export function idOfSource({ orderIdPrefix }: Pick<ShopSource, 'orderIdPrefix'>, key: string): string {
  return isProviderId(key) ? key : orderIdPrefix + key;
}

/** @returns true if the id can be stored as an identifier of an order */
export const isName = (id: string): boolean => id.length <= limits.id && isStorable(id);

/** The last time that PostgreSQL reads. A later year has more than four digits, which its ISO 8601 does not allow. */
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/** Reads a provider's time, to compare it with its other times. It may be ahead of our clock. Null if it is invalid. */
export function statedTime(at: string | null): string | null {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return ms >= 0 && ms <= latestMs ? isoTime(ms) : null;
}

/**
 * Reads a provider's time to show it. Returns the current time if it is invalid or ahead of our clock. Do not compare
 * the result.
 */
export function shownTime(at: string | null, nowMs: number): string {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return isoTime(ms >= 0 && ms <= nowMs ? ms : nowMs);
}
