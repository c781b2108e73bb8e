import type { Uuid } from '../ids.js';
import type { Sql } from './connect.js';

/** Finds a person by (normalised) email. */
export async function findPerson(sql: Sql, teamId: Uuid, email: string) {
  const rows = await sql<{ id: Uuid; email: string; name: string | null; createdAt: Date }[]>`/* findPerson */
    select id, email, name, created_at as "createdAt" from person where team_id = ${teamId} and email = ${email}`;
  return rows[0];
}
