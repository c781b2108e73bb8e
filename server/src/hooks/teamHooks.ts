import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { type Hook, hooksAtMost, type NewHook } from './hook.js';
import { newHookSecret } from './signature.js';
import { createHook, disableHook, lockHooks, markRemoved } from './sql/hook.js';
import { removeDeliveries } from './sql/oldDelivery.js';

/** Adds a hook to a team, with a new secret. Null when the team has 20 hooks already. */
export function addHook(sql: Sql, teamId: Uuid, given: NewHook): Promise<Hook | null> {
  const hook = { ...given, id: newUuid(), secret: newHookSecret() };
  return inTransaction(sql, async (tx) => {
    const hooks = await lockHooks(tx, teamId);
    if (hooks.length >= hooksAtMost) return null;
    await createHook(tx, teamId, hook);
    return hook;
  });
}

/**
 * Removes a hook with its deliveries. It is switched off first, so that no new transaction enqueues anything for it. What open
 * ones still enqueue is removed by `expireDeliveries`.
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
  while ((await removeDeliveries(sql, { teamId, id })) > 0) if (performance.now() > untilMs) return false;
  await markRemoved(sql, teamId, id);
  return true;
}
