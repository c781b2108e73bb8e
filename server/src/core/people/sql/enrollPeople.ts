import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { inTransaction } from '../../../database/inTransaction.js';
import { pairRows } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import { type Listeners, notifyListeners } from '../../listener.js';

/** A request to enroll a person of a team in a sequence. */
export interface EnrollmentRow {
  /** SHA-256 of the API key of the request. */
  keyHash: string;
  personId: Uuid;
  /** Null if the `sequenceId` of the request is not an id. */
  sequenceId: Uuid | null;
  /** The id for a new subscription. */
  subscriptionId: Uuid;
}

/** The result of an enrollment. The id of an unknown person or sequence is null. */
export interface EnrolledRow {
  isKeyLive: boolean;
  personId: Uuid | null;
  sequenceId: Uuid | null;
  subscriptionId: Uuid | null;
}

interface SubscriptionRow {
  id: Uuid;
  sequence_id: Uuid;
  person_id: Uuid;
}

/** The result of the look-up before anything is stored. */
interface LookedUpRow extends EnrolledRow {
  /** The `subscriptionId` of the request. */
  requestId: Uuid;
  /** Set for a test API key. */
  isTest: boolean;
  /** Set if a listener wants to be notified of the team's new subscriptions. */
  wantsNotice: boolean;
}

/**
 * Checks API keys and enrolls people of one team. Resolves with one row per request, in the order of the requests. A person who is
 * enrolled already gets the existing subscription; if all are, one statement suffices. Otherwise a second statement inserts the
 * others. Each statement commits by itself, because the first one changes nothing. If a listener wants new subscriptions, the
 * insert and the notification are one transaction.
 */
export async function enrollPeople(
  sql: Sql,
  teamId: Uuid,
  requests: EnrollmentRow[],
  listeners: Listeners,
): Promise<EnrolledRow[]> {
  const found = pairRows(
    requests.map((request) => request.subscriptionId),
    await lookUpEnrollments(sql, teamId, requests, listeners),
    (row) => row.requestId,
  );
  const missing = new Map<string, { row: SubscriptionRow; isTest: boolean }>();
  for (const [at, { isKeyLive, personId, sequenceId, subscriptionId, isTest }] of found.entries()) {
    if (!isKeyLive || personId === null || sequenceId === null || subscriptionId !== null) continue;
    const row = { id: requests[at]!.subscriptionId, sequence_id: sequenceId, person_id: personId };
    if (!missing.has(nameOf(row))) missing.set(nameOf(row), { row, isTest });
  }
  if (missing.size === 0) return found;

  const rows = [...missing.values()].map(({ row }) => row);
  const add = async (tx: Sql) => {
    const stored = await addSubscriptions(tx, teamId, rows);
    const paired = pairRows(rows.map(nameOf), stored, nameOf);
    return new Map(paired.map((row) => [nameOf(row), row.id]));
  };
  const addAndNotify = async (tx: Sql) => {
    const idOf = await add(tx);
    const added = [...missing].filter(([name, { row }]) => idOf.get(name) === row.id);
    const subscriptions = added.map(([, { row, isTest }]) => ({ id: row.id, isTest }));
    await notifyListeners(listeners, 'onEnrolled', tx, teamId, subscriptions);
    return idOf;
  };
  const wantsNotice = found.some((row) => row.wantsNotice);
  const idOf = wantsNotice ? await inTransaction(sql, addAndNotify) : await add(sql);
  return found.map((row) => ({
    ...row,
    subscriptionId: row.subscriptionId ?? idOf.get(`${row.sequenceId} ${row.personId}`) ?? null,
  }));
}

/** Returns a text that is unique for a subscription. */
function nameOf({ sequence_id, person_id }: SubscriptionRow): string {
  return `${sequence_id} ${person_id}`;
}

/**
 * Resolves with a row for each request, in any order. Sub-selects instead of joins make PostgreSQL use the primary keys even before
 * it has statistics on the tables.
 */
function lookUpEnrollments(sql: Sql, teamId: Uuid, requests: EnrollmentRow[], listeners: Listeners) {
  return sql<LookedUpRow[]>`/* lookUpEnrollments */
    with request as (
      select * from json_to_recordset(${JSON.stringify(requests)}::text::json) as (
        "keyHash" text, "personId" uuid, "sequenceId" uuid, "subscriptionId" uuid
      )
    ), checked as (
      select "subscriptionId" as request_id,
        (select mode from api_key where hash = "keyHash" and revoked_at is null) as mode,
        (select id from person where team_id = ${teamId} and id = "personId") as person_id,
        (select id from sequence where team_id = ${teamId} and id = "sequenceId") as sequence_id
      from request
    )
    select request_id as "requestId", mode is not null as "isKeyLive", mode is not distinct from 'test' as "isTest",
      ${isAnyHearing(sql, teamId, listeners)} as "wantsNotice",
      person_id as "personId", sequence_id as "sequenceId", (
        select id from subscription
        where team_id = ${teamId} and sequence_id = checked.sequence_id and person_id = checked.person_id
      ) as "subscriptionId"
    from checked`;
}

/** A boolean SQL expression: true if a listener wants to be notified of the team's new subscriptions. */
const isAnyHearing = (sql: Sql, teamId: Uuid, listeners: Listeners): Fragment =>
  listeners.reduce(
    (before, { wantsEnrolled }) => (wantsEnrolled ? sql`${before} or ${wantsEnrolled(sql, teamId)}` : before),
    sql`false`,
  );

/**
 * Adds subscriptions, and resolves with them, or with those that existed. Uses `do update`, not `do nothing`: of two concurrent
 * inserts the second one cannot see the first one's row in its snapshot, but an update returns it. Sorted, so that two servers do
 * not deadlock.
 */
function addSubscriptions(sql: Sql, teamId: Uuid, rows: SubscriptionRow[]) {
  return sql<SubscriptionRow[]>`/* addSubscriptions */
    insert into subscription (team_id, id, sequence_id, person_id)
    select ${teamId}::uuid, id, sequence_id, person_id
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, sequence_id uuid, person_id uuid)
    order by sequence_id, person_id
    on conflict (team_id, sequence_id, person_id) do update set sequence_id = excluded.sequence_id
    returning id, sequence_id, person_id`;
}
