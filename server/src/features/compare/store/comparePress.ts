import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import { takeBackPress } from '../../../core/orders/store/discardOrder.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { dayMs } from '../../../values/time.js';

/** A press of the button that has stored orders of a file, and can be undone. */
export interface Press {
  id: Uuid;
  /** Number of its orders that are not removed yet. */
  orders: number;
  storedAt: Date;
}

/** Orders that are removed in one turn of a team. Each has a separate transaction. */
const batchOrders = 500;

/** Records the new orders that a press has stored, and removes records older than a day. */
export async function addPress(
  sql: Sql,
  teamId: Uuid,
  { id, isTest, orderIds, now }: { id: Uuid; isTest: boolean; orderIds: readonly Uuid[]; now: Date },
): Promise<void> {
  await sql`/* removeOldPresses */
    delete from compare_press where team_id = ${teamId} and stored_at <= ${dayBefore(now)}`;
  await sql`/* addPress */
    insert into compare_press (team_id, id, is_test, stored_at, order_ids)
    values (${teamId}, ${id}, ${isTest}, ${now}, ${uuids(orderIds)}::text::uuid[])`;
}

/** Lists the presses of the last day in a mode, which can be undone, the newest first. */
export function listPresses(sql: Sql, teamId: Uuid, { isTest, now }: { isTest: boolean; now: Date }) {
  return sql<Press[]>`/* listPresses */
    select id, cardinality(order_ids) as orders, stored_at as "storedAt" from compare_press
    where team_id = ${teamId} and is_test = ${isTest} and stored_at > ${dayBefore(now)}
    order by stored_at desc, id desc`;
}

/** The result of removing some orders of a press. */
export interface TakenBack {
  removed: number;
  /** Orders that stay, because they have been changed or refunded since. */
  kept: number;
  /** Set if the press has further orders. */
  isMore: boolean;
}

/** Removes up to 500 orders that a press has stored. Null if the press is unknown or over a day old. */
export async function takeBackSome(
  sql: Sql,
  teamId: Uuid,
  { id, isTest, now }: { id: Uuid; isTest: boolean; now: Date },
  place: PlaceStatements,
): Promise<TakenBack | null> {
  const [press] = await sql<{ orderIds: Uuid[] }[]>`/* findPress */
    select to_json(order_ids) as "orderIds" from compare_press
    where team_id = ${teamId} and id = ${id} and is_test = ${isTest} and stored_at > ${dayBefore(now)}`;
  if (!press) return null;
  const ids = press.orderIds.slice(0, batchOrders);
  const rest = press.orderIds.slice(batchOrders);
  const isMore = rest.length > 0;
  let removed = 0;
  for (const orderId of ids)
    if (await takeBackPress(place, teamId, { id: orderId, isTest, press: id })) removed++;
  if (isMore)
    // The array is written whole. A slice of the old one crashes a node of a Citus cluster (13.2), which ends all of
    // its sessions.
    await sql`/* shortenPress */
      update compare_press set order_ids = ${uuids(rest)}::text::uuid[] where team_id = ${teamId} and id = ${id}`;
  else await sql`/* removePress */ delete from compare_press where team_id = ${teamId} and id = ${id}`;
  return { removed, kept: ids.length - removed, isMore };
}

/** Writes ids as the text of an array. */
const uuids = (ids: readonly Uuid[]) => `{${ids.join(',')}}`;

const dayBefore = (now: Date) => new Date(now.getTime() - dayMs);
