import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Finds a person by id; undefined for an unknown person. The id of an erased person is unknown. */
export async function findPerson(sql: Sql, teamId: Uuid, id: Uuid) {
  const rows = await sql<{ id: Uuid; email: string; name: string | null; createdAt: Date }[]>`/* findPerson */
    select id, email, name, created_at as "createdAt" from person where team_id = ${teamId} and id = ${id}`;
  return rows[0];
}

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

/**
 * Adds people to a team, as the operator or a key says. A known one keeps a name that such a one gave before, and
 * gets this one in the place of none or of a page's. No two may share an id.
 */
export async function addPeople(
  sql: Sql,
  teamId: Uuid,
  people: { id: Uuid; email: string; name: string | null }[],
): Promise<{ id: Uuid; email: string; name: string | null }[]> {
  return sql<{ id: Uuid; email: string; name: string | null }[]>`/* addPeople */
    insert into person (team_id, id, email, name, name_by_key)
    select ${teamId}, id, email, name, name is not null
    from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id uuid, email text, name text)
    order by id
    on conflict (team_id, id) do update set
      name = case when ${canReplaceName(sql)} then excluded.name else person.name end,
      name_by_key = person.name_by_key or excluded.name_by_key
    returning id, email, name`;
}

/**
 * True, in an `on conflict do update` of `person`, when the new name may take the place of the stored one: any name
 * that of nobody, and one that a key or a command gave that of a page.
 */
export const canReplaceName = (sql: Sql) =>
  sql`excluded.name is not null and (person.name is null or (excluded.name_by_key and not person.name_by_key))`;

/** Gives a person this name, whoever said the one before; null takes it away, so that the next report's counts. */
export async function editPerson(sql: Sql, teamId: Uuid, id: Uuid, name: string | null) {
  const rows = await sql<{ id: Uuid; email: string; name: string | null }[]>`/* editPerson */
    update person set name = ${name}, name_by_key = ${name !== null}
    where team_id = ${teamId} and id = ${id}
    returning id, email, name`;
  return rows[0];
}

/**
 * Removes a person who has no orders, with their subscriptions, inside a transaction; resolves with how many
 * subscriptions those were. Rejects with 23503 when an order or subscription came between, and with 55P03 when
 * another transaction has the person for half a second: while this waits, reports of the person wait behind it.
 */
export async function removePerson(tx: Sql, teamId: Uuid, personId: Uuid): Promise<number> {
  await tx`/* setLockTimeout */ select set_config('lock_timeout', '500ms', true)`;
  const subscriptions = await tx`/* removeSubscriptions */
    delete from subscription where team_id = ${teamId} and person_id = ${personId}`;
  await tx`/* removePerson */ delete from person where team_id = ${teamId} and id = ${personId}`;
  return subscriptions.count;
}
