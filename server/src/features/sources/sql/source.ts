import { type OfTeams, ofAllTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { pairRows } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import { dayMs, hourMs } from '../../../values/time.js';
import type { SyncResult } from '../ask/syncSource.js';
import type { LastEvent, RequestOutcome } from '../requestOutcome.js';
import type { ShopAccess, ShopSource } from '../source.js';

const columns = (sql: Sql) => sql`team_id as "teamId", id, kind, is_test as "isTest", token, secret,
  order_id_prefix as "orderIdPrefix", shop_url as "shopUrl", api_key as "apiKey", allows_private as "allowsPrivate",
  created_at as "createdAt"`;

/** The columns of `KnownSource`. They are not part of `columns`, because Citus allows only immutable functions in `returning`. */
const knownColumns = (sql: Sql) => sql`${columns(sql)}, array_to_json(shop_hosts) as "shopHosts"`;

/** A source with its access to the shop and the shop's hosts. */
export interface KnownSource extends ShopSource, ShopAccess {
  /** Hosts that a person has allowed or, before that, the host of the first event; see `hostsOf`. */
  shopHosts: string[];
}

/** Finds a team's source by its token; null for an unknown token. */
export async function findSource(sql: Sql, teamId: Uuid, token: string): Promise<KnownSource | null> {
  const rows = await sql<(KnownSource | { token: string; id: null })[]>`/* findSource */
    select found.*, asked.token from (select ${token}::text as token) asked left join lateral (
      select ${knownColumns(sql)} from source where team_id = ${teamId} and token = asked.token
    ) found on true`;
  const row = pairRows([token], rows, (row) => row.token)[0]!;
  return row.id === null ? null : row;
}

/** A source as lists show it. */
export interface ListedSource extends KnownSource {
  /** Time and outcome of its last event; null before the first one. */
  lastEventAt: Date | null;
  lastOutcome: RequestOutcome | null;
  /** Events with a wrong signature since the last one that was signed with the secret. */
  unsignedEvents: number;
  /** Number of events that were too large to be read, and the time of the last one. */
  largeEvents: number;
  largeAt: Date | null;
  /** Time and result of the last sync; null before the first one. */
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

/** Converts the times of the last sync, which are texts in its JSON. */
function withTimes(row: ListedSource): ListedSource {
  const { lastSync } = row;
  if (lastSync === null) return row;
  return {
    ...row,
    // Versions 0.3.0 and 0.4.0 stored no value for these.
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

/** Stores a new source, and resolves with the time of its creation. */
export async function createSource(sql: Sql, source: Omit<ShopSource, 'createdAt'>): Promise<Date> {
  const [row] = await sql<[{ createdAt: Date }]>`/* createSource */
    insert into source (team_id, id, kind, is_test, token, secret, order_id_prefix)
    values (${source.teamId}, ${source.id}, ${source.kind}, ${source.isTest}, ${source.token}, ${source.secret},
      ${source.orderIdPrefix})
    returning created_at as "createdAt"`;
  return row.createdAt;
}

/**
 * Replaces a source's secret, and lets its shop be asked soon, because events may have been refused before. If the new secret
 * differs from the old one, the shop's hosts are forgotten, and the next event names the shop's host. False if the team has no such
 * source.
 */
export async function replaceSecret(sql: Sql, teamId: Uuid, id: Uuid, secret: string): Promise<boolean> {
  const { count } = await sql`/* replaceSecret */
    update source set secret = ${secret}, unsigned_events = 0, sync_at = now(),
      shop_hosts = case when secret = ${secret} then shop_hosts else '{}' end
    where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}

/**
 * Replaces the address and the API key of a shop, and lets it be asked soon, for all of 30 days. If the address
 * differs, the shop's hosts are forgotten. False if the team has no such source.
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

/**
 * Requests a sync of all of 30 days, which starts within a minute. False if the team has no such source, or it has no
 * API key.
 */
export async function requestSync(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* requestSync */
    update source set sync_at = now(), synced_until = null
    where team_id = ${teamId} and id = ${id} and api_key is not null`;
  return count > 0;
}

/** A source that was claimed for a sync. */
export interface DueSource extends ShopSource, ShopAccess {
  /** Everything that changed before this time is stored; null to read all of 30 days. */
  syncedUntil: Date | null;
  /** Time at which the source was claimed. `syncAt` is the time of the next sync, unless an event or a person moves it forward. */
  syncedAt: Date;
  syncAt: Date;
}

/**
 * Condition for a source whose shop is to be asked now. The shop has an API key, and one of these holds:
 * - `sync_at` has come, and the last sync was over a minute ago. `sync_at` is a day after a sync, or earlier on request.
 * - The last sync was over a minute ago, and before this server last failed to store events: WooCommerce never repeats an event.
 * - The last sync was over an hour ago, and no event has come for an hour.
 */
const isDue = (sql: Sql, awayUntil: Date) => sql`api_key is not null and (
    sync_at <= now() and (synced_at is null or synced_at <= now() - interval '1 minute')
    or synced_at < least(${awayUntil}, now() - interval '1 minute')
    or synced_at < now() - interval '1 hour' and (last_event_at is null or last_event_at < now() - interval '1 hour')
  )`;

/** Lists the sources of all teams that are to be asked now. */
export function listDueSources(sql: Sql, awayUntil: Date, ofTeams: OfTeams = ofAllTeams) {
  return sql<{ teamId: Uuid; id: Uuid }[]>`/* listDueSources */
    select team_id as "teamId", id from source
    where ${ofTeams(sql, 'team_id')} and ${isDue(sql, awayUntil)} order by sync_at`;
}

/**
 * Claims a source, so that no other server asks its shop within the hour. Undefined if another server has claimed it, or it has no
 * API key.
 * @param awayUntil time at which this server last failed to store events; null to claim the source even if it is not due
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
 * Records the result of a sync. The next one is a day later, or after a fault an hour later, or earlier if it was
 * requested during this sync. Writes nothing if the address or the API key was replaced during the sync.
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
 * Records the outcome of a source's last event, and adds to its counts. If an event was refused, the shop is asked
 * soon, at most once a minute.
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

/** Removes a source. False if the team has no such source. */
export async function deleteSource(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* deleteSource */ delete from source where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}
