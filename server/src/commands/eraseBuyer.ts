import type { Sql } from '../database/connection/connect.js';
import { forgetMentions } from '../hooks/sql/subject.js';
import { eraseMentions } from '../orders/sql/waitingRefund.js';
import { findPerson } from '../people/sql/person.js';
import { findRefusedOf } from '../refused/listedRefused.js';
import { removeRefused } from '../refused/sql/removeRefused.js';
import type { Uuid } from '../values/ids.js';
import { erasePerson } from './personErase.js';

/** A report that is refused and replayed while a person is erased needs one more round. More than ten do not happen. */
const roundsAtMost = 10;

/**
 * Erases a person, their refused reports, and reasons of waiting refunds that mention the email. The reports go first, and this waits for those that are being replayed, so
 * that the order which a replay stores is erased too. Null when there is nothing of them.
 */
export async function eraseBuyer(sql: Sql, teamId: Uuid, { id, email }: { id: Uuid; email: string }) {
  const erased = { name: null as string | null, orders: 0, subscriptions: 0, refused: 0 };
  let isFound = false;
  for (let round = 0; round < roundsAtMost; round++) {
    const refused = await removeRefused(sql, teamId, await findRefusedOf(sql, teamId, email));
    erased.refused += refused;
    const mentions = await eraseMentions(sql, teamId, email);
    const person = await findPerson(sql, teamId, id);
    isFound ||= refused + mentions > 0 || person !== undefined;
    if (!person) break;
    const { orders, subscriptions } = await erasePerson(sql, teamId, id);
    erased.name ??= person.name;
    erased.orders += orders;
    erased.subscriptions += subscriptions;
  }
  if (isFound) await forgetMentions(sql, teamId, email);
  return isFound ? erased : null;
}
