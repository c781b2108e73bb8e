import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { dayMs, hourMs } from '../../../values/time.js';
import type { SyncResult } from '../ask/syncSource.js';
import type { LastEvent, RequestOutcome } from '../requestOutcome.js';
import type { ShopAccess, ShopSource } from '../source.js';

const columns = (sql: Sql) => sql`team_id as "teamId", id, kind, is_test as "isTest", token, secret,
  order_id_prefix as "orderIdPrefix", shop_url as "shopUrl", api_key as "apiKey", allows_private as "allowsPrivate",
  created_at as "createdAt"`;

/** The same and the hosts. Citus takes no function that is not immutable behind `returning`. */
const knownColumns = (sql: Sql) => sql`${columns(sql)}, array_to_json(shop_hosts) as "shopHosts"`;

/** A source with what is known of its shop. */
export interface KnownSource extends ShopSource, ShopAccess {
  /** The hosts that a person has allowed, else that of its first event; see `hostsOf`. */
  shopHosts: string[];
}

/** Finds the sources of a team that have these tokens: one row for each token; only the token where there is no source. */
export function findSources(sql: Sql, teamId: Uuid, tokens: string[]) {
  return sql<(KnownSource | { token: string; id: null })[]>`/* findSources */
    select found.*, asked.value as token from json_array_elements_text(${JSON.stringify(tokens)}::text::json) asked
    left join lateral (
      select ${knownColumns(sql)} from source where team_id = ${teamId} and token = asked.value
    ) found on true`;
}

/** A source as lists show it. */
export interface ListedSource extends KnownSource {
  /** Time and outcome of its last event; null before the first one. */
  lastEventAt: Date | null;
  lastOutcome: RequestOutcome | null;
  /** Events that were refused since the last one that was signed with the secret, because another one had signed them. */
  unsignedEvents: number;
  /** Events that were too large to be read, and the time of the last one. */
  largeEvents: number;
  largeAt: Date | null;
  /** Time and result of the last time that the shop was asked; null before the first one. */
  syncedAt: Date | null;
  lastSync: SyncResult | null;
}

/** Lists a team's sources, the oldest first. */
export async function listSources(sql: Sql, teamId: Uuid): Promise<ListedSource[]> {
  const rows = await sql<ListedSource[]>`/* listSources */
    select ${knownColumns(sql)}, last_event_at as "lastEventAt", last_outcome as "lastOutcome",
      unsigned_events as "unsignedEvents", large_events as "largeEvents", large_at as "largeAt", synced_at as "syncedAt", last_sync as "lastSync"
    from source where team_id = ${teamId} order by created_at, id`;
  return rows.map(withTimes);
}

/** The times of the last sync, which its JSON has as texts. */
function withTimes(row: ListedSource): ListedSource {
  const { lastSync } = row;
  if (lastSync === null) return row;
  return {
    ...row,
    // Versions 0.3.0 and 0.4.0 have not counted all of it.
    lastSync: {
      ...lastSync,
      named: lastSync.named ?? lastSync.orders,
      passedOver: lastSync.passedOver ?? [],
      isBuyerWithheld: lastSync.isBuyerWithheld ?? false,
      since: new Date(lastSync.since),
      until: new Date(lastSync.until),
    },
  };
}

/** Stores a new source, and resolves with its time. */
export async function createSource(sql: Sql, source: Omit<ShopSource, 'createdAt'>): Promise<Date> {
  const [row] = await sql<[{ createdAt: Date }]>`/* createSource */
    insert into source (team_id, id, kind, is_test, token, secret, order_id_prefix)
    values (${source.teamId}, ${source.id}, ${source.kind}, ${source.isTest}, ${source.token}, ${source.secret},
      ${source.orderIdPrefix})
    returning created_at as "createdAt"`;
  return row.createdAt;
}

/**
 * Replaces the secret of a source, and asks its shop soon, because events were refused while another one was entered. A new secret
 * connects a shop anew, whose host its first event says. False when the team has no such source.
 */
export async function replaceSecret(sql: Sql, teamId: Uuid, id: Uuid, secret: string): Promise<boolean> {
  const { count } = await sql`/* replaceSecret */
    update source set secret = ${secret}, unsigned_events = 0, sync_at = now(),
      shop_hosts = case when secret = ${secret} then shop_hosts else '{}' end
    where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}

/**
 * Replaces the address and the key with which a shop is asked, and asks it soon. Another address is that of the shop. False when the team has no such source.
 */
export async function replaceAccess(
  sql: Sql,
  teamId: Uuid,
  id: Uuid,
  { shopUrl, apiKey, allowsPrivate }: ShopAccess,
): Promise<boolean> {
  const { count } = await sql`/* replaceAccess */
    update source set shop_url = ${shopUrl}, api_key = ${apiKey}, allows_private = ${allowsPrivate}, sync_at = now(),
      shop_hosts = case when shop_url is not distinct from ${shopUrl} then shop_hosts else '{}' end, synced_until = null, synced_at = null, last_sync = null
    where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}

/** Lets the server ask a shop for all of 30 days within a minute. False when the team has no such source, or it has no key. */
export async function requestSync(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* requestSync */
    update source set sync_at = now(), synced_until = null
    where team_id = ${teamId} and id = ${id} and api_key is not null`;
  return count > 0;
}

/** A source that is asked now. */
export interface DueSource extends ShopSource, ShopAccess {
  /** All that changed before this time is stored; null where the shop was never asked. */
  syncedUntil: Date | null;
  /** When it was claimed, and when it is asked next unless something moves that forward. */
  syncedAt: Date;
  syncAt: Date;
}

/**
 * True for a source that is to be asked now, as a condition: a day after the last time, or when something has asked for it, at
 * most each minute; an hour after it where no event came meanwhile; and a minute after it where it lies before the last time at
 * which this server could not take events, because WooCommerce never sends an event again.
 */
const isDue = (sql: Sql, awayUntil: Date) => sql`api_key is not null and (
    sync_at <= now() and (synced_at is null or synced_at <= now() - interval '1 minute')
    or synced_at < least(${awayUntil}, now() - interval '1 minute')
    or synced_at < now() - interval '1 hour' and (last_event_at is null or last_event_at < now() - interval '1 hour')
  )`;

/** Lists the sources of all teams that are to be asked. Asks every node of a cluster. */
export function listDueSources(sql: Sql, awayUntil: Date) {
  return sql<{ teamId: Uuid; id: Uuid }[]>`/* listDueSources */
    select team_id as "teamId", id from source where ${isDue(sql, awayUntil)} order by sync_at`;
}

/**
 * Claims a source, so that no other server asks it within the hour. Undefined where another one has, or where it has no key.
 * @param awayUntil as in `listDueSources`; null to ask it, whether it is due or not
 */
export async function claimSync(
  sql: Sql,
  teamId: Uuid,
  id: Uuid,
  awayUntil: Date | null,
): Promise<DueSource | undefined> {
  const [row] = await sql<DueSource[]>`/* claimSync */
    update source set sync_at = now() + interval '1 hour', synced_at = now()
    where team_id = ${teamId} and id = ${id} and ${awayUntil ? isDue(sql, awayUntil) : sql`api_key is not null`}
    returning ${columns(sql)}, synced_until as "syncedUntil", synced_at as "syncedAt", sync_at as "syncAt"`;
  return row;
}

/**
 * Records what came of asking a shop. After a fault it is asked again in an hour, else in a day, or sooner where something
 * has asked for it meanwhile. Writes nothing where another address or key was entered meanwhile.
 */
export async function recordSync(
  sql: Sql,
  {
    teamId,
    id,
    shopUrl,
    apiKey,
    syncAt,
    syncedAt,
  }: Omit<DueSource, keyof ShopSource> & Pick<DueSource, 'teamId' | 'id'>,
  result: SyncResult,
): Promise<void> {
  const next = new Date(syncedAt.getTime() + (result.fault === null ? dayMs : hourMs));
  await sql`/* recordSync */
    update source set last_sync = ${JSON.stringify(result)}::text::json,
      synced_until = case when sync_at < ${syncAt} then synced_until else ${result.until} end,
      sync_at = case when sync_at < ${syncAt} then sync_at else ${next} end
    where team_id = ${teamId} and id = ${id} and shop_url is not distinct from ${shopUrl} and api_key = ${apiKey}`;
}

/**
 * Records the outcome of a source's last event, and how many were not signed by it. A shop whose events were refused is
 * asked soon, at most each minute.
 */
export async function recordLastEvent(
  sql: Sql,
  { teamId, id }: Pick<ShopSource, 'teamId' | 'id'>,
  { outcome, isSigned, unsigned, large, isRefused }: Omit<LastEvent, 'source'>,
): Promise<void> {
  await sql`/* recordLastEvent */
    update source set last_event_at = ${outcome === null ? sql`last_event_at` : sql`statement_timestamp()`},
      last_outcome = ${outcome === null ? sql`last_outcome` : outcome},
      unsigned_events = ${isSigned ? sql`0` : sql`unsigned_events`} + ${unsigned},
      large_events = large_events + ${large}, large_at = ${large > 0 ? sql`now()` : sql`large_at`},
      sync_at = ${isRefused ? sql`least(sync_at, now())` : sql`sync_at`}
    where team_id = ${teamId} and id = ${id}`;
}

/** Removes a source. False when the team has no such source. */
export async function deleteSource(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* deleteSource */ delete from source where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}
