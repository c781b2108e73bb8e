import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs } from '../../values/timeUnits.js';

/** Version of the SDK with the time of its last order, to the hour. */
export interface SeenSdkVersion {
  version: string;
  lastSeenAt: Date;
}

const keepMs = 30 * dayMs;
/**
 * Versions of one team that were never released. A report can claim any version, so further ones are ignored until one of
 * these expires.
 */
const unreleasedAtMost = 20;

/** Lists the versions of the SDK that stored an order of a team in 30 days, the latest first. */
export function listSdkVersions(sql: Sql, teamId: Uuid) {
  return sql<SeenSdkVersion[]>`/* listSdkVersions */
    select version, last_seen_at as "lastSeenAt" from sdk_seen
    where team_id = ${teamId} and last_seen_at > now() - ${keepMs}::float8 * interval '1 millisecond'
    order by last_seen_at desc, version`;
}

/**
 * Records when a version of the SDK last stored an order of a team, and removes versions of more than 30 days ago.
 * @param seen.released every version that was released
 */
export async function noteSdkVersion(
  sql: Sql,
  teamId: Uuid,
  { version, at, released }: { version: string; at: Date; released: ReadonlySet<string> },
): Promise<void> {
  await sql`/* noteSdkVersion */
    delete from sdk_seen where team_id = ${teamId} and last_seen_at < ${new Date(at.getTime() - keepMs)}`;
  const seen = await sql<{ version: string }[]>`/* noteSdkVersion */
    select version from sdk_seen where team_id = ${teamId}`;
  const unreleased = seen.filter((row) => !released.has(row.version));
  const isOneMore = !released.has(version) && !unreleased.some((row) => row.version === version);
  if (isOneMore && unreleased.length >= unreleasedAtMost) return;
  await sql`/* noteSdkVersion */
    insert into sdk_seen (team_id, version, last_seen_at) values (${teamId}, ${version}, ${at})
    on conflict (team_id, version) do update set last_seen_at = excluded.last_seen_at`;
}
