import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import { takeBackPress } from '../../../core/orders/store/discardOrder.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { dayMs } from '../../../values/time.js';

/** One press that has stored orders of a file, and can be taken back. */
export interface Press {
  id: Uuid;
  /** Number of orders that are still to be taken back. */
  orders: number;
  storedAt: Date;
}

/** Orders that are taken back in one turn of a team, each in a transaction of its own. */
const batchOrders = 500;

/** Keeps which new orders a press has stored, and forgets those of more than a day ago. */
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

/** Lists the presses of a world that can be taken back, those of the last day, the newest first. */
export function listPresses(sql: Sql, teamId: Uuid, { isTest, now }: { isTest: boolean; now: Date }) {
  return sql<Press[]>`/* listPresses */
    select id, cardinality(order_ids) as orders, stored_at as "storedAt" from compare_press
    where team_id = ${teamId} and is_test = ${isTest} and stored_at > ${dayBefore(now)}
    order by stored_at desc, id desc`;
}

/** What became of some orders of a press. */
export interface TakenBack {
  removed: number;
  /** Orders that stay, because others have said more of them. */
  kept: number;
  /** True where the press has more. */
  isMore: boolean;
}

/** Takes back up to 500 orders of a press. Null for a press that is none or too old. */
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
    // Not as a slice of the old ones, which ends the process of a Citus cluster (13.2): all of its sessions break off.
    await sql`/* shortenPress */
      update compare_press set order_ids = ${uuids(rest)}::text::uuid[] where team_id = ${teamId} and id = ${id}`;
  else await sql`/* removePress */ delete from compare_press where team_id = ${teamId} and id = ${id}`;
  return { removed, kept: ids.length - removed, isMore };
}

/** Ids as the text of an array. */
const uuids = (ids: readonly Uuid[]) => `{${ids.join(',')}}`;

const dayBefore = (now: Date) => new Date(now.getTime() - dayMs);
