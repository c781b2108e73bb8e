import type { Sql } from '../../../database/connection/connect.js';
import { nilUuid, type Uuid } from '../../../values/ids.js';

/** Deliveries that one statement reads at most. */
const pieceRows = 1_000;

/**
 * Assignments that erase the content of a delivery, except its type and outcome. They also end its attempts: the outcome of a
 * running attempt is not stored.
 */
const erased = (sql: Sql) => sql`subject_id = null, data = null, answer = null, next_at = null,
  error = case when delivered_at is null then 'Not sent: what it is about was removed, or its buyer was erased.' end`;

/**
 * Erases the deliveries about orders and subscriptions, inside the transaction that removes or erases these. Answers
 * are erased, too, because a receiver may repeat what it was sent.
 */
export async function forgetSubjects(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return;
  for (const isAbout of aboutAny(tx, teamId, ids))
    await tx`/* forgetSubjects */
      update hook_delivery set ${erased(tx)} where team_id = ${teamId} and ${isAbout}`;
}

/**
 * Erases the deliveries that mention an email, such as those of an order that later got another buyer. Reads all
 * deliveries of the team, in pieces. Resolves with the number of erased ones.
 */
export async function forgetMentions(sql: Sql, teamId: Uuid, email: string): Promise<number> {
  // As JSON writes it.
  const text = JSON.stringify(email.toLowerCase()).slice(1, -1);
  const hooks = await sql<{ id: Uuid }[]>`/* listHookIds */
    select id from hook where team_id = ${teamId}`;
  let deliveries = 0;
  for (const hook of hooks) {
    for (let after: Uuid | null = nilUuid; after; ) {
      const { last, forgotten } = await forgetPiece(sql, teamId, hook.id, { text, after });
      deliveries += forgotten;
      after = last;
    }
  }
  return deliveries;
}

/**
 * Erases mentions in one piece. Resolves with the number of erased deliveries, and the last id of the piece, null after
 * the hook's last one.
 */
async function forgetPiece(
  sql: Sql,
  teamId: Uuid,
  hookId: Uuid,
  { text, after }: { text: string; after: Uuid },
): Promise<{ last: Uuid | null; forgotten: number }> {
  const [piece] = await sql<[{ last: Uuid | null; forgotten: number }]>`/* forgetPiece */
    with piece as materialized (
      select id, position(${text} in lower(concat(data, answer))) > 0 as mentions from hook_delivery
      where team_id = ${teamId} and hook_id = ${hookId} and id > ${after}
      order by id
      limit ${pieceRows}
    ), forgotten as (
      update hook_delivery set ${erased(sql)}
      where team_id = ${teamId} and hook_id = ${hookId} and id = any(array(select id from piece where mentions))
      returning id
    )
    select (array_agg(id order by id desc))[1] as last, (select count(*)::int from forgotten) as forgotten from piece`;
  return piece;
}

/** Moves the deliveries about one order to another one, inside the transaction that merges them. */
export async function moveSubject(tx: Sql, teamId: Uuid, from: Uuid, to: Uuid): Promise<void> {
  for (const isAbout of aboutAny(tx, teamId, [from]))
    await tx`/* moveSubject */
      update hook_delivery set subject_id = ${to} where team_id = ${teamId} and ${isAbout}`;
}

/**
 * Makes two conditions, each for one statement, for the deliveries about some orders or subscriptions. The first finds deliveries
 * of `order.created` by the primary key. The second finds all others; it matches the index `hook_delivery_subject`.
 */
const aboutAny = (tx: Sql, teamId: Uuid, ids: readonly Uuid[]) => [
  tx`hook_id in (select id from hook where team_id = ${teamId}) and id in ${tx([...ids])} and id = subject_id`,
  tx`subject_id in ${tx([...ids])} and id <> subject_id`,
];
