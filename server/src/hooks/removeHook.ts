import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import { deletePiece } from './sql/delivery.js';
import { disableHook, markRemoved } from './sql/hook.js';

/**
 * Removes a hook with its deliveries. It is switched off first, so that no new transaction tells it anything. What open ones
 * still tell it is removed by `expireDeliveries`.
 * @param untilMs end of the time for it, by `performance.now()`
 * @returns false when the time was over before all was removed: then the hook is off, and may be removed again
 */
export async function removeHook(
  sql: Sql,
  teamId: Uuid,
  id: Uuid,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  await disableHook(sql, teamId, id, null);
  while ((await deletePiece(sql, teamId, id)) > 0) if (performance.now() > untilMs) return false;
  await markRemoved(sql, teamId, id);
  return true;
}
