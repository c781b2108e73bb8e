import type { Sql } from '../../database/connection/connect.js';
import { tables } from '../../database/tables.js';
import type { Uuid } from '../../values/ids.js';

/** Removes everything that belongs to a team, and the team, inside a transaction. */
export async function removeTeamRows(tx: Sql, teamId: Uuid): Promise<void> {
  // A table comes after those that its foreign keys name, so it has to be emptied before them.
  for (const table of tables.toReversed()) {
    if (table === 'installation') continue;
    const column = table === 'team' ? 'id' : 'team_id';
    await tx`/* removeTeamRows */ delete from ${tx(table)} where ${tx(column)} = ${teamId}`;
  }
}
