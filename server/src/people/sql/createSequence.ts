import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Creates an email sequence. */
export async function createSequence(
  sql: Sql,
  teamId: Uuid,
  sequence: { id: Uuid; name: string },
): Promise<void> {
  await sql`/* createSequence */
    insert into sequence (team_id, id, name) values (${teamId}, ${sequence.id}, ${sequence.name})`;
}
