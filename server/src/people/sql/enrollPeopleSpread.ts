import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { EnrolledRow, EnrollmentRow } from './enrollPeople.js';
import { lookedUpEnrollments } from './lookedUpEnrollments.js';

/**
 * Does what `enrollPeople` does where the tables are spread over a Citus cluster: by two statements that Citus routes
 * whole to the team's machine. Each commits by itself, for the first one changes nothing.
 */
export async function enrollPeopleSpread(
  sql: Sql,
  teamId: Uuid,
  requests: EnrollmentRow[],
): Promise<EnrolledRow[]> {
  const found = await sql<EnrolledRow[]>`/* lookUpEnrollments */
    with ${lookedUpEnrollments(sql, teamId, requests)}
    select is_key_live as "isKeyLive", person_id as "personId", sequence_id as "sequenceId",
      known_id as "subscriptionId"
    from looked_up
    order by ordinality`;
  const made = new Map<string, { team_id: Uuid; id: Uuid; sequence_id: Uuid; person_id: Uuid }>();
  const nameOf = (row: { sequence_id: Uuid; person_id: Uuid }) => `${row.sequence_id} ${row.person_id}`;
  for (const [at, { isKeyLive, personId, sequenceId, subscriptionId }] of found.entries()) {
    if (!isKeyLive || personId === null || sequenceId === null || subscriptionId !== null) continue;
    const id = requests[at]!.subscriptionId;
    const row = { team_id: teamId, id, sequence_id: sequenceId, person_id: personId };
    if (!made.has(nameOf(row))) made.set(nameOf(row), row);
  }
  if (made.size === 0) return found;

  // In one order, so that two servers do not wait for each other.
  const rows = [...made].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const stored = await sql<{ id: Uuid; sequence_id: Uuid; person_id: Uuid }[]>`/* addSubscriptions */
    insert into subscription ${sql(rows)}
    on conflict (team_id, sequence_id, person_id) do update set sequence_id = excluded.sequence_id
    returning id, sequence_id, person_id`;
  const idOf = new Map(stored.map((row) => [nameOf(row), row.id]));
  return found.map((row) => ({
    ...row,
    subscriptionId:
      row.subscriptionId ??
      idOf.get(nameOf({ sequence_id: row.sequenceId ?? '', person_id: row.personId ?? '' })) ??
      null,
  }));
}
