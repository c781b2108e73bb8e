import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { RefusedKind } from '../refusedWords.js';
import { speakerOf } from './listRefused.js';

/** Kept reports of a team that one key, or pages of one host, sent, and that were refused for the same reason and field. */
export interface RecentRefusals extends Pick<RefusedKind, 'reason' | 'host' | 'field' | 'speaker'> {
  /** The beginning, in UTC, of the first day of them. */
  beganOn: Date;
  /** Null for pages. */
  keyHash: string | null;
  /** The number of their refusals. */
  reports: number;
}

/**
 * Lists a team's kept reports that were refused since a time, discarded ones too. Without pages that were set aside because another
 * buyer's order has their number: anybody can send one, and a number that is used again is no fault.
 */
export function listRecentRefusals(sql: Sql, teamId: Uuid, since: Date) {
  return sql<RecentRefusals[]>`/* listRecentRefusals */
    select reason, host, field, key_hash as "keyHash", date_trunc('day', min(received_at), 'UTC') as "beganOn",
      sum(times)::float as reports, max(${speakerOf(sql)}) as speaker
    from refused_report
    where team_id = ${teamId} and last_at >= ${since} and not (reason = 'order_conflict' and key_hash is null)
    group by 1, 2, 3, 4`;
}

/** A host or field that began to be refused on a day, with an event in the hooks. */
export interface BegunSubject {
  /** The beginning of the day; of a sender the time of its event. */
  beganOn: Date;
  kind: 'host' | 'field' | 'sender';
  /** Of hosts `*` for all others of the day. */
  name: string;
}

/** Removes the subjects of earlier days, and lists those since a day. */
export async function listBegun(tx: Sql, teamId: Uuid, since: Date): Promise<BegunSubject[]> {
  await tx`/* removeBegun */
    delete from hook_refused where team_id = ${teamId} and day < ${since}`;
  return tx<BegunSubject[]>`/* listBegun */
    select day as "beganOn", kind, name from hook_refused where team_id = ${teamId}`;
}

/** Stores the subjects of events. */
export async function addBegun(tx: Sql, teamId: Uuid, begun: readonly BegunSubject[]): Promise<void> {
  await tx`/* addBegun */
    insert into hook_refused (team_id, day, kind, name)
    select ${teamId}::uuid, "beganOn", kind, name
    from json_to_recordset(${JSON.stringify(begun)}::text::json) as r ("beganOn" timestamptz, kind text, name text)`;
}
