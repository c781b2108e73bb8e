import type { Sql } from '../database/connection/connect.js';
import { type ListedHook, listHooks } from '../hooks/sql/hook.js';
import { decodeId, type Uuid } from '../values/ids.js';
import { UsageError } from './command.js';

/** Finds a team's hook by its id `hook_…`. Throws `UsageError`. */
export async function requireHook(
  sql: Sql,
  teamId: Uuid,
  { text, team }: { text: string; team: string },
): Promise<ListedHook> {
  const id = decodeId('hook', text);
  const found = id && (await listHooks(sql, teamId)).find((hook) => hook.id === id);
  if (found) return found;
  throw new UsageError(
    `This team has no webhook with the id "${text}". See: orderbeacon hook list --team ${team}`,
  );
}
