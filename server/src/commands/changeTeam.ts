import { type Listeners, notifyListeners } from '../core/listener.js';
import { findTeam, type TeamRow, updateTeam } from '../core/teams/sql/team.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';

/**
 * Changes a team, and notifies listeners. Locks the team's row, so that a concurrent import builds all links with the same
 * URL. Resolves with the team.
 */
export function changeTeam(
  sql: Sql,
  id: Uuid,
  changes: Partial<TeamRow>,
  listeners: Listeners,
): Promise<TeamRow> {
  return inTransaction(sql, async (tx) => {
    const stored = (await findTeam(tx, id, { lock: true }))!;
    const team = { ...stored, ...changes };
    await updateTeam(tx, team);
    await notifyListeners(listeners, 'onTeamChanged', tx, id, stored, team);
    return team;
  });
}
