import { type OfTeams, ofAllTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import type { ShopSource } from '../source.js';
import type { KnownSource } from './source.js';

/** Limits of the kept events of other hosts: events of one source, bytes of one event. */
export const apartBounds = { events: 1_000, bytes: 262_144 };

type SourceId = Pick<ShopSource, 'teamId' | 'id'>;

/** Records the host of a source's first event, unless one is recorded. Resolves with the hosts of its shop. */
export async function recordShopHost(sql: Sql, { teamId, id }: SourceId, host: string): Promise<string[]> {
  await sql`/* recordShopHost */
    update source set shop_hosts = array[${host}::text] where team_id = ${teamId} and id = ${id} and shop_hosts = '{}'`;
  const [row] = await sql<Pick<KnownSource, 'shopHosts'>[]>`/* readShopHosts */
    select array_to_json(shop_hosts) as "shopHosts" from source where team_id = ${teamId} and id = ${id}`;
  return row?.shopHosts ?? [host];
}

/**
 * Allows a host that has sent events to a source.
 * @param isMoved set if it replaces the shop's other hosts
 */
export async function allowShopHost(
  sql: Sql,
  teamId: Uuid,
  id: Uuid,
  { host, known, isMoved }: { host: string; known: readonly string[]; isMoved: boolean },
): Promise<void> {
  const hosts = isMoved ? [host] : [...new Set([...known, host])];
  await sql`/* allowShopHost */
    update source set shop_hosts = array(select json_array_elements_text(${JSON.stringify(hosts)}::text::json))
    where team_id = ${teamId} and id = ${id}
      and exists (select from source_event where team_id = ${teamId} and source_id = ${id} and host = ${host})`;
}

/** An event of another host. */
export interface ApartEvent {
  id: Uuid;
  host: string;
  topic: string | null;
  body: string;
}

/** Keeps an event of another host. False if the source has 1,000 already, or was removed. */
export async function keepApartEvent(
  sql: Sql,
  { teamId, id: sourceId }: SourceId,
  { id, host, topic, body }: ApartEvent,
): Promise<boolean> {
  const { count } = await sql`/* keepApartEvent */
    insert into source_event (team_id, source_id, id, host, topic, body)
    select team_id, id, ${id}, ${host}, ${topic}, ${body} from source
    where team_id = ${teamId} and id = ${sourceId} and (
      select count(*) from source_event where team_id = ${teamId} and source_id = ${sourceId}
    ) < ${apartBounds.events}`;
  return count > 0;
}

/** The kept events of one other host. */
export interface ApartHost {
  sourceId: Uuid;
  host: string;
  events: number;
  lastAt: Date;
}

/**
 * Counts the kept events of each other host of a team's sources. Leaves out hosts that are allowed now, because their
 * events will be stored.
 */
export function listApartHosts(sql: Sql, teamId: Uuid) {
  return sql<ApartHost[]>`/* listApartHosts */
    select source_id as "sourceId", host, count(*)::int as events, max(received_at) as "lastAt"
    from source_event
    where team_id = ${teamId} and not exists (
      select from source where team_id = ${teamId} and source.id = source_id and host = any(shop_hosts)
    )
    group by 1, 2 order by max(received_at) desc`;
}

/** Lists the sources of all teams that have kept events of a host that is allowed now. */
export function listAllowedSources(sql: Sql, ofTeams: OfTeams = ofAllTeams) {
  return sql<(SourceId & { token: string })[]>`/* listAllowedSources */
    select distinct source.team_id as "teamId", source.id, token
    from source_event join source on source.team_id = source_event.team_id and source.id = source_id
    where ${ofTeams(sql, 'source_event.team_id')} and ${ofTeams(sql, 'source.team_id')} and host = any(shop_hosts)`;
}

/** Lists the oldest kept events of a source whose host is allowed now. */
export function listAllowedEvents(sql: Sql, { teamId, id }: SourceId, limit: number) {
  return sql<ApartEvent[]>`/* listAllowedEvents */
    select id, host, topic, body from source_event
    where team_id = ${teamId} and source_id = ${id} and host = any(array(
      select unnest(shop_hosts) from source where team_id = ${teamId} and source.id = ${id}
    ))
    order by id limit ${limit}`;
}

/** Removes kept events that have been stored. */
export async function removeApartEvents(
  sql: Sql,
  { teamId, id }: SourceId,
  ids: readonly Uuid[],
): Promise<void> {
  await sql`/* removeApartEvents */
    delete from source_event where team_id = ${teamId} and source_id = ${id} and id = ${anyOf(sql, ids, 'uuid')}`;
}

/** Removes the kept events of all teams that are older than 30 days. */
export function removeOldApartEvents(sql: Sql, ofTeams: OfTeams = ofAllTeams) {
  return sql`/* removeOldApartEvents */
    delete from source_event where ${ofTeams(sql, 'team_id')} and received_at < now() - interval '30 days'`;
}

/** Lists the kept events that contain an email. */
export function listApartEventsOf(sql: Sql, teamId: Uuid, email: string) {
  return sql<(ApartEvent & { receivedAt: Date })[]>`/* listApartEventsOf */
    select id, host, topic, body, received_at as "receivedAt" from source_event
    where ${mentions(sql, teamId, email)} order by id`;
}

/** Removes the kept events that contain an email, and resolves with their number. */
export async function removeApartEventsOf(sql: Sql, teamId: Uuid, email: string): Promise<number> {
  const { count } = await sql`/* removeApartEventsOf */
    delete from source_event where ${mentions(sql, teamId, email)}`;
  return count;
}

const mentions = (sql: Sql, teamId: Uuid, email: string) =>
  sql`team_id = ${teamId} and position(${email} in lower(body)) > 0`;
