import type { Sql } from '../../database/connection/connect.js';
import { plainEmail } from '../../values/email.js';
import type { Uuid } from '../../values/ids.js';

/** A kept report that may be of a buyer, or mention one. */
export interface MentionCandidate {
  id: Uuid;
  /** Email of the buyer as release 0.2.0 has read it; null for none. */
  email: string | null;
  body: string;
}

/**
 * Lists a team's kept reports without a valid email that have this hash, or whose body was not read yet, and those with an
 * unusual email.
 */
export function listMentionCandidates(
  sql: Sql,
  teamId: Uuid,
  { hash, after, limit }: { hash: number; after: Uuid | null; limit: number },
): PromiseLike<MentionCandidate[]> {
  return sql<MentionCandidate[]>`/* listMentionCandidates */
    select id, email, body from refused_report
    where team_id = ${teamId}
      and (email is null and (email_hashes is null or ${hash} = any(email_hashes)) or email !~ ${plainEmail.source})
      ${after ? sql`and id > ${after}` : sql``}
    order by id
    limit ${limit}`;
}

/** Condition on `refused_report`: its places or its emails are not known yet. */
const isUnread = (sql: Sql) => sql`(places is null or email is null and email_hashes is null)`;

/** Finds a team with kept reports that were not read yet; undefined for none. */
export async function findUnreadTeam(sql: Sql): Promise<Uuid | undefined> {
  const rows = await sql<{ teamId: Uuid }[]>`/* findUnreadTeam */
    select team_id as "teamId" from refused_report where ${isUnread(sql)} limit 1`;
  return rows[0]?.teamId;
}

/** A kept report that was not read yet. */
export interface UnreadReport {
  id: Uuid;
  host: string;
  /** Null where the buyer has a valid email, because the body need not be read then. */
  body: string | null;
  isCut: boolean;
}

/** Lists some of a team's kept reports that were not read yet. */
export function listUnread(sql: Sql, teamId: Uuid, limit: number) {
  return sql<UnreadReport[]>`/* listUnread */
    select id, host, case when email is null then body end as body, is_cut as "isCut" from refused_report
    where team_id = ${teamId} and ${isUnread(sql)}
    limit ${limit}`;
}

/** A kept report that was read. */
export interface ReadRefused extends Pick<UnreadReport, 'id' | 'isCut'> {
  isAllowed: boolean;
  hashes: number[];
}

/** Stores what was read, but of a body that was replaced by a complete one meanwhile. */
export async function setRead(
  sql: Sql,
  teamId: Uuid,
  reports: readonly ReadRefused[],
  placeBytes: number,
): Promise<void> {
  await sql`/* setRead */
    update refused_report set
      is_allowed = "isAllowed",
      places = greatest(1, (octet_length(body) + ${placeBytes}::integer - 1) / ${placeBytes}::integer),
      email_hashes = array(select value::integer from json_array_elements_text(hashes))
    from json_to_recordset(${JSON.stringify(reports)}::text::json) as r (
      id uuid, "isCut" boolean, "isAllowed" boolean, hashes json
    )
    where refused_report.team_id = ${teamId} and refused_report.id = r.id and is_cut = "isCut"`;
}
