import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { ShopSource } from '../source.js';
import type { EventOutcome } from '../storeEvent.js';

const columns = (sql: Sql) => sql`team_id as "teamId", id, kind, is_test as "isTest", token, secret`;

/** Finds the sources of a team that have these tokens: one row for each token; only the token where there is no source. */
export function findSources(sql: Sql, teamId: Uuid, tokens: string[]) {
  return sql<(ShopSource | { token: string; id: null })[]>`/* findSources */
    select found.*, asked.value as token from json_array_elements_text(${JSON.stringify(tokens)}::text::json) asked
    left join lateral (
      select ${columns(sql)} from source where team_id = ${teamId} and token = asked.value
    ) found on true`;
}

/** A source as lists show it. */
export interface ListedSource extends ShopSource {
  createdAt: Date;
  /** Time and outcome of its last event; null before the first one. */
  lastEventAt: Date | null;
  lastOutcome: EventOutcome | null;
}

/** Lists a team's sources, the oldest first. */
export function listSources(sql: Sql, teamId: Uuid) {
  return sql<ListedSource[]>`/* listSources */
    select ${columns(sql)}, created_at as "createdAt", last_event_at as "lastEventAt", last_outcome as "lastOutcome"
    from source where team_id = ${teamId} order by created_at, id`;
}

/** Stores a new source. */
export async function createSource(sql: Sql, source: ShopSource): Promise<void> {
  await sql`/* createSource */
    insert into source (team_id, id, kind, is_test, token, secret)
    values (${source.teamId}, ${source.id}, ${source.kind}, ${source.isTest}, ${source.token}, ${source.secret})`;
}

/** Replaces the secret of a source. False when the team has no such source. */
export async function replaceSecret(sql: Sql, teamId: Uuid, id: Uuid, secret: string): Promise<boolean> {
  const { count } = await sql`/* replaceSecret */
    update source set secret = ${secret} where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}

/** Removes a source, inside a transaction. False when the team has no such source. */
export async function deleteSource(tx: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  await tx`/* deleteSource: events */
    delete from source_event where team_id = ${teamId} and source_id = ${id}`;
  const { count } = await tx`/* deleteSource */
    delete from source where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}
