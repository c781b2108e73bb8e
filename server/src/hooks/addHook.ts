import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { type Hook, hooksAtMost } from './hook.js';
import type { NewHook } from './parseNewHook.js';
import { newHookSecret } from './signature.js';
import { createHook, lockHooks } from './sql/hook.js';

/**
 * Adds a hook to a team, with a new secret. Null when the team has 20 hooks already.
 * @param skipBegun keeps a team's first hook of `refused.began` from being told of what began before it, in its transaction
 */
export function addHook(
  sql: Sql,
  teamId: Uuid,
  given: NewHook,
  skipBegun: (tx: Sql, teamId: Uuid) => Promise<void>,
): Promise<Hook | null> {
  const hook = { ...given, id: newUuid(), secret: newHookSecret() };
  return inTransaction(sql, async (tx) => {
    const hooks = await lockHooks(tx, teamId);
    if (hooks.length >= hooksAtMost) return null;
    const others = hooks.filter(({ disabledAt }) => disabledAt === null);
    if (isToldOfRefusals(hook) && !others.some(isToldOfRefusals)) await skipBegun(tx, teamId);
    await createHook(tx, teamId, hook);
    return hook;
  });
}

const isToldOfRefusals = ({ events, isTest }: Pick<Hook, 'events' | 'isTest'>) =>
  !isTest && events.includes('refused.began');
