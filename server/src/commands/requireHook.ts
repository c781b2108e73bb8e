import type { Sql } from '../database/connection/connect.js';
import { type ListedHook, listHooks } from '../hooks/sql/hook.js';
import { decodeId, type Uuid } from '../values/ids.js';
import { unknownId } from './command.js';

/** Finds a team's hook by its id `hook_…`. Throws `UsageError`. */
export async function requireHook(
  sql: Sql,
  teamId: Uuid,
  { text, team }: { text: string; team: string },
): Promise<ListedHook> {
  const id = decodeId('hook', text);
  const found = id && (await listHooks(sql, teamId)).find((hook) => hook.id === id);
  if (found) return found;
  throw unknownId('webhook', text, { list: 'hook list', team });
}
