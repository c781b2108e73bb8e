import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { newUuid, type Uuid } from '../../values/ids.js';
import { type Hook, hooksAtMost, type NewHook } from './hook.js';
import { newHookSecret } from './signature.js';
import { createHook, lockHooks } from './sql/hook.js';

/** Adds a hook with a new secret to a team. Null if the team has 20 hooks already. */
export function addHook(sql: Sql, teamId: Uuid, given: NewHook): Promise<Hook | null> {
  const hook = { ...given, id: newUuid(), secret: newHookSecret() };
  return inTransaction(sql, async (tx) => {
    const hooks = await lockHooks(tx, teamId);
    if (hooks.length >= hooksAtMost) return null;
    await createHook(tx, teamId, hook);
    return hook;
  });
}
