import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** A person as lists and exports show it. */
export interface ListedPersonRow {
  id: Uuid;
  email: string;
  name: string | null;
  createdAt: Date;
}

/** Lists a team's people by email, without erased people. The caller may await the query or read it through a cursor. */
export function listPeople(sql: Sql, teamId: Uuid) {
  return sql<ListedPersonRow[]>`/* listPeople */
    select id, email, name, created_at as "createdAt" from person where team_id = ${teamId} and email is not null order by email`;
}
