import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { newUuid, type Uuid } from '../../../values/ids.js';
import type { HookEvent } from '../hook.js';

/** An occurrence that is sent to a team's hooks. */
export interface Occurrence {
  /** The order or subscription that it is about; null for none. */
  subjectId: Uuid | null;
  /** The content of the body. */
  data: object;
  /** True for hooks of tests only, false for live ones only. */
  isTest: boolean;
}

/** True for a row of `hook` that gets a type of event, as a condition. */
export const subscribesTo = (sql: Sql, teamId: Uuid, type: HookEvent) =>
  sql`hook.team_id = ${teamId} and hook.disabled_at is null and ${type} = any(hook.events)`;

/**
 * A common table expression that enqueues new orders for a team's hooks, for the statement that stores them. Costs one
 * look into the index of hooks for all orders together, because no order is read before a hook is found, and two index entries
 * for each delivery, because its id is that of the order.
 * @param orders a query with the columns `id` and `isTest`, whose rows are the content of the deliveries
 */
export const enqueueNew = (sql: Sql, teamId: Uuid, orders: Fragment) => sql`
      insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
      with subscribed as materialized (
        select id, is_test from hook where ${subscribesTo(sql, teamId, 'order.created')}
      )
      select ${teamId}, placed.id, subscribed.id, 'order.created', placed.id, row_to_json(placed)
      from subscribed cross join lateral (
        select * from (${orders}) each where each."isTest" = subscribed.is_test offset 0
      ) placed`;

/**
 * Enqueues occurrences of one type for a team's hooks, inside the transaction in which they occur, so that they are sent
 * exactly if it commits. Costs one look into the index of hooks where there is none.
 * @param read called where there is a hook
 */
export async function enqueue(
  tx: Sql,
  teamId: Uuid,
  type: HookEvent,
  read: () => Occurrence[] | Promise<Occurrence[]>,
): Promise<void> {
  const hooks = await tx<{ id: Uuid; isTest: boolean; now: Date }[]>`/* findSubscribers */
    select id, is_test as "isTest", now() from hook where ${subscribesTo(tx, teamId, type)}`;
  if (hooks.length === 0) return;
  const occurrences = await read();
  for (const hook of hooks) {
    const rows = occurrences
      .filter(({ isTest }) => isTest === hook.isTest)
      .map(({ subjectId, data }) => ({
        id: type === 'order.created' ? subjectId : newUuid(hook.now.getTime()),
        subjectId,
        data,
      }));
    if (rows.length === 0) continue;
    await tx`/* addDeliveries */
      insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
      select ${teamId}::uuid, id, ${hook.id}::uuid, ${type}, "subjectId", data
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, "subjectId" uuid, data json)`;
  }
}
