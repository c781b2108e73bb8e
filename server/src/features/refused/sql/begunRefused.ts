import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { RefusedKind } from '../refusedWords.js';
import { speakerOf } from './listRefused.js';

/** Kept reports of a team with the same API key or host, and the same reason and field. */
export interface RecentRefusals extends Pick<RefusedKind, 'reason' | 'host' | 'field' | 'speaker'> {
  /** Start of the UTC day on which the first of these reports was refused. */
  beganOn: Date;
  /** Hash of the API key; null for pages. */
  keyHash: string | null;
  /** Number of refusals of these reports: each may have been sent several times. */
  reports: number;
}

/**
 * Lists a team's kept reports that were refused since a time, also discarded ones. Leaves out pages whose order id
 * belongs to another buyer's order: anyone can send such a report, and using a number again is not a fault.
 */
export function listRecentRefusals(sql: Sql, teamId: Uuid, since: Date) {
  return sql<RecentRefusals[]>`/* listRecentRefusals */
    select reason, host, field, key_hash as "keyHash", date_trunc('day', min(received_at), 'UTC') as "beganOn",
      sum(times)::float as reports, max(${speakerOf(sql)}) as speaker
    from refused_report
    where team_id = ${teamId} and last_at >= ${since} and not (reason = 'order_conflict' and key_hash is null)
    group by 1, 2, 3, 4`;
}

/** A host or field that began to be refused on a day, for which an event was sent; or the sender of such an event. */
export interface BegunSubject {
  /** Start of the day on which the host or field began to be refused. For a sender, the time of its event. */
  beganOn: Date;
  kind: 'host' | 'field' | 'sender';
  /** Name of the host, field or sender. `*` for all further hosts of the day. */
  name: string;
}

/** Removes what began before `since`, and lists the other hosts, fields and senders for which an event was sent. */
export async function listBegun(tx: Sql, teamId: Uuid, since: Date): Promise<BegunSubject[]> {
  await tx`/* removeBegun */
    delete from hook_refused where team_id = ${teamId} and day < ${since}`;
  return tx<BegunSubject[]>`/* listBegun */
    select day as "beganOn", kind, name from hook_refused where team_id = ${teamId}`;
}

/** Stores the subjects for which events are sent. */
export async function addBegun(tx: Sql, teamId: Uuid, begun: readonly BegunSubject[]): Promise<void> {
  await tx`/* addBegun */
    insert into hook_refused (team_id, day, kind, name)
    select ${teamId}::uuid, "beganOn", kind, name
    from json_to_recordset(${JSON.stringify(begun)}::text::json) as r ("beganOn" timestamptz, kind text, name text)`;
}
