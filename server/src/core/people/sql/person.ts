import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { type Listeners, notifyListeners } from '../../listener.js';

export interface ListedPersonRow {
  id: Uuid;
  email: string;
  name: string | null;
  createdAt: Date;
}

/** Finds a person by id; undefined if the person is unknown or erased. */
export async function findPerson(sql: Sql, teamId: Uuid, id: Uuid) {
  const rows = await sql<ListedPersonRow[]>`/* findPerson */
    select id, email, name, created_at as "createdAt" from person where team_id = ${teamId} and id = ${id}`;
  return rows[0];
}

/** Lists a team's people by email, without erased people. The caller can await the query or read it through a cursor. */
export function listPeople(sql: Sql, teamId: Uuid) {
  return sql<ListedPersonRow[]>`/* listPeople */
    select id, email, name, created_at as "createdAt" from person where team_id = ${teamId} and email is not null order by email`;
}

/**
 * Adds people to a team, with names from an operator or a key. Such a name fills in a known person's missing name, or replaces one
 * from a page. People who were added so are kept even if they have no order. No two people may have the same id.
 */
export async function addPeople(
  sql: Sql,
  teamId: Uuid,
  people: { id: Uuid; email: string; name: string | null }[],
): Promise<{ id: Uuid; email: string; name: string | null }[]> {
  return sql<{ id: Uuid; email: string; name: string | null }[]>`/* addPeople */
    insert into person (team_id, id, email, name, name_by_key, is_contact)
    select ${teamId}, id, email, name, name is not null, true
    from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id uuid, email text, name text)
    order by id
    on conflict (team_id, id) do update set
      name = case when ${canReplaceName(sql)} then excluded.name else person.name end,
      name_by_key = person.name_by_key or excluded.name_by_key,
      is_contact = true
    returning id, email, name`;
}

/**
 * A condition for `on conflict do update` of `person`: true if the new name may replace the stored one. Any name replaces a missing
 * one. A name from a key or a command replaces one from a page.
 */
const canReplaceName = (sql: Sql) =>
  sql`excluded.name is not null and (person.name is null or (excluded.name_by_key and not person.name_by_key))`;

/** The clause that gives a known buyer the name in the order, if that may replace the stored name. */
const nameKnown = (
  sql: Sql,
) => sql`on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
        where ${canReplaceName(sql)}`;

/**
 * Inserts the buyers of orders that the same statement stores. A known buyer without a name gets the name in the order. A name from
 * a live API key replaces a known buyer's name from a page.
 * @param buyers rows of `personId`, `email`, `name` and `name_by_key`, each person once
 */
export const meetBuyers = (sql: Sql, teamId: Uuid, buyers: Fragment) => sql`
      insert into person (team_id, id, email, name, name_by_key)
      select ${teamId}, "personId", email, name, name_by_key from ${buyers}
      ${nameKnown(sql)}`;

/** The buyer of an order that is about to be stored. */
export interface NewBuyerRow {
  id: Uuid;
  email: string;
  name: string | null;
  /** Set if a live API key gave the name. */
  isNameByKey: boolean;
}

/**
 * Adds buyers to a team. Known ones are named as by `meetBuyers`. The rows are `values`, so that each names its team and tables can
 * be distributed by team. No two rows may have the same id. Each number of rows is a separate prepared statement.
 */
export async function addBuyers(tx: Sql, teamId: Uuid, buyers: NewBuyerRow[]): Promise<void> {
  const rows = buyers.map((buyer) => ({
    team_id: teamId,
    id: buyer.id,
    email: buyer.email,
    name: buyer.name,
    name_by_key: buyer.isNameByKey,
  }));
  await tx`/* addBuyers */
    insert into person ${tx(rows, 'team_id', 'id', 'email', 'name', 'name_by_key')}
    ${nameKnown(tx)}`;
}

/**
 * Sets the name of a person. Null removes it, so that the next report's name counts.
 * @returns undefined if the person is unknown
 */
export async function editPerson(sql: Sql, teamId: Uuid, id: Uuid, name: string | null) {
  const rows = await sql<{ id: Uuid; email: string; name: string | null }[]>`/* editPerson */
    update person set name = ${name}, name_by_key = ${name !== null}
    where team_id = ${teamId} and id = ${id}
    returning id, email, name`;
  return rows[0];
}

/**
 * Locks people of a team, inside a transaction. No order is stored for them until it ends, because storing an order adds or locks
 * its buyer. A later statement must look for their orders: it sees the orders that this one has waited for. Nothing else protects a
 * person who has orders. Resolves with the number of locked people. A person who was removed and added again while this waited is
 * not locked.
 * @param personId default: all people of the team
 */
export async function lockPeople(tx: Sql, teamId: Uuid, personId?: Uuid): Promise<number> {
  const { count } = await tx`/* lockPeople */
    select from person where team_id = ${teamId} ${personId === undefined ? tx`` : tx`and id = ${personId}`}
    order by id for update`;
  return count;
}

/**
 * Removes a person who has no order, with their subscriptions, inside a transaction. Resolves with the number of subscriptions, or
 * with null if the person has an order: then nothing is changed. Rejects with 23503 if a new subscription needs the person. Rejects
 * with 55P03 if another transaction holds the row for half a second, because reports of the person wait meanwhile.
 */
export async function removePerson(
  tx: Sql,
  teamId: Uuid,
  personId: Uuid,
  listeners: Listeners,
): Promise<number | null> {
  await tx`/* setLockTimeout */ select set_config('lock_timeout', '500ms', true)`;
  // Another transaction has removed the person. If an order has added them again, this one does not see it.
  if ((await lockPeople(tx, teamId, personId)) === 0) return 0;
  const orders = await tx`/* findAnyOrder */
    select from placed_order where team_id = ${teamId} and person_id = ${personId} limit 1`;
  if (orders.length > 0) return null;
  const subscriptions = await tx<{ id: Uuid }[]>`/* removeSubscriptions */
    delete from subscription where team_id = ${teamId} and person_id = ${personId} returning id`;
  const ids = subscriptions.map(({ id }) => id);
  await notifyListeners(listeners, 'onSubscriptionsGone', tx, teamId, ids);
  await tx`/* removePerson */ delete from person where team_id = ${teamId} and id = ${personId}`;
  return subscriptions.count;
}

/**
 * Removes people whom only orders have created and who have neither an order nor an enrollment, inside a transaction. Rejects with
 * 23503 if an enrollment needs one of them concurrently. Locks no other people: two transactions that move orders to each other's
 * buyer would deadlock.
 */
export async function removeEmptyPeople(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  const isEmpty = tx`
    not is_contact and not exists (select from placed_order where team_id = ${teamId} and person_id = person.id)
    and not exists (select from subscription where team_id = ${teamId} and person_id = person.id)`;
  const empty = await tx<{ id: Uuid }[]>`/* lockEmptyPeople */
    select id from person where team_id = ${teamId} and id = ${anyOf(tx, ids, 'uuid')} and ${isEmpty}
    order by id for update`;
  if (empty.length === 0) return;
  // This later statement sees the orders that the lock has waited for. See `lockPeople`.
  const locked = empty.map(({ id }) => id);
  await tx`/* removeEmptyPeople */
    delete from person where team_id = ${teamId} and id = ${anyOf(tx, locked, 'uuid')} and ${isEmpty}`;
}
