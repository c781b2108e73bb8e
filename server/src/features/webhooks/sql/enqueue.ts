import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { newUuid, type Uuid } from '../../../values/ids.js';
import type { HookEvent } from '../hook.js';

/** An occurrence to send to a team's hooks. */
export interface Occurrence {
  /** The order or subscription that it is about; null without one. */
  subjectId: Uuid | null;
  /** Content of the body. */
  data: object;
  /** Set to send it only to hooks of tests. Otherwise it is only sent to live ones. */
  isTest: boolean;
}

/** Condition on rows of `hook` that get a type of event. */
export const subscribesTo = (sql: Sql, teamId: Uuid, type: HookEvent) =>
  sql`hook.team_id = ${teamId} and hook.disabled_at is null and ${type} = any(hook.events)`;

/**
 * Writes the part of a statement that enqueues new orders for a team's hooks, for the statement that stores them.
 *
 * It costs one look-up in the index of hooks for all orders together, because no order is read before a hook is found.
 * It also costs two index entries for each delivery, because its id is the order's.
 * @param orders a query with the columns `id` and `isTest`, whose rows are the data of the deliveries
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
 * Enqueues occurrences of one type for a team's hooks. Runs inside the transaction in which they occur, so they are
 * sent exactly if it commits. A team without a hook costs one index look-up.
 * @param read returns the occurrences; called if a hook gets this type
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
