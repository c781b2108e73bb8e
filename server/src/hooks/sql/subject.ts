import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { subjectGone } from '../judgeAnswer.js';

/**
 * Takes orders and subscriptions out of the deliveries that are about them, inside the transaction that removes or erases
 * them. Answers go too, because a receiver may repeat what it was sent. An attempt in flight writes nothing any more.
 */
export async function forgetSubjects(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return;
  for (const isAbout of aboutAny(tx, teamId, ids))
    await tx`/* forgetSubjects */
      update hook_delivery set subject_id = null, answer = null, next_at = null,
        error = case when delivered_at is null then ${subjectGone.error} end
      where team_id = ${teamId} and ${isAbout}`;
}

/** Makes the deliveries about one order be about another one, inside the transaction that merges them. */
export async function moveSubject(tx: Sql, teamId: Uuid, from: Uuid, to: Uuid): Promise<void> {
  for (const isAbout of aboutAny(tx, teamId, [from]))
    await tx`/* moveSubject */
      update hook_delivery set subject_id = ${to} where team_id = ${teamId} and ${isAbout}`;
}

/**
 * Conditions for the deliveries about subjects, of one statement each: those of new orders, which the primary key finds,
 * and all others, in the words of the index `hook_delivery_subject`.
 */
const aboutAny = (tx: Sql, teamId: Uuid, ids: readonly Uuid[]) => [
  tx`hook_id in (select id from hook where team_id = ${teamId}) and id in ${tx([...ids])} and id = subject_id`,
  tx`subject_id in ${tx([...ids])} and id <> subject_id`,
];
