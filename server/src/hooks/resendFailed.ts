import type { Sql } from '../database/connection/connect.js';
import { nilUuid, type Uuid } from '../values/ids.js';
import { resendPiece } from './sql/delivery.js';

/** Deliveries that `resendFailed` has queued. */
export interface Resent {
  deliveries: number;
  /** True when the time was over before all were queued. */
  isMore: boolean;
}

/**
 * Has all deliveries of a hook sent again whose last attempt failed and that still have something to send, the
 * oldest first.
 * @param options.since time of the oldest event
 * @param options.untilMs end of the time for it, by `performance.now()`
 * @param options.onResent gets the number so far after each piece
 */
export async function resendFailed(
  sql: Sql,
  teamId: Uuid,
  {
    hookId,
    since,
    untilMs = Number.POSITIVE_INFINITY,
    onResent,
  }: { hookId: Uuid; since: Date; untilMs?: number; onResent?: (deliveries: number) => void },
): Promise<Resent> {
  let deliveries = 0;
  for (let after: Uuid | null = nilUuid; after; ) {
    if (performance.now() > untilMs) return { deliveries, isMore: true };
    const { count, last } = await resendPiece(sql, teamId, { hookId, since, after });
    deliveries += count;
    onResent?.(deliveries);
    after = last;
  }
  return { deliveries, isMore: false };
}
