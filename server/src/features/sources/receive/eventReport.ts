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

/** Builds the body of a report from an event, as an integrator would send it. Its order id has the source's prefix. */
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

/**
 * Adds the source's prefix to an id. An id that a payment provider gave is returned as it is, because the ids of two shops never
 * collide there.
 */
export function idOfSource({ orderIdPrefix }: Pick<ShopSource, 'orderIdPrefix'>, key: string): string {
  return isProviderId(key) ? key : orderIdPrefix + key;
}

/** @returns true if the id can be stored as an identifier of an order */
export const isName = (id: string): boolean => id.length <= limits.id && isStorable(id);

/**
 * The latest time that is sent to PostgreSQL. A later one has a year of more than four digits, which PostgreSQL does not read in
 * ISO 8601.
 */
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a provider's time that is only compared with other times of the same provider. It may be ahead of our clock. Null if it is
 * invalid.
 */
export function statedTime(at: string | null): string | null {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return ms >= 0 && ms <= latestMs ? isoTime(ms) : null;
}

/**
 * Reads a provider's time that people see. Returns the current time if it is invalid or ahead of our clock, so the result must not
 * be compared with other times.
 */
export function shownTime(at: string | null, nowMs: number): string {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return isoTime(ms >= 0 && ms <= nowMs ? ms : nowMs);
}
