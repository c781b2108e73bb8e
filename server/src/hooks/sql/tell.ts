import type { Fragment, Sql } from '../../database/connection/connect.js';
import { newUuid, type Uuid } from '../../values/ids.js';
import type { HookEvent } from '../hook.js';

/** An occurrence that a team's hooks are told of. */
export interface Occurrence {
  /** The order or subscription that it is about; null for `data`. */
  subjectId: Uuid | null;
  /** The content of the body, where there is no subject. */
  data: object | null;
  /** True tells hooks of tests only, false live ones only. */
  isTest: boolean;
}

/** True for a row of `hook` that is told of a type of event, as a condition. */
export const isToldOf = (sql: Sql, teamId: Uuid, type: HookEvent) =>
  sql`hook.team_id = ${teamId} and hook.disabled_at is null and ${type} = any(hook.events)`;

/**
 * A statement for a common table expression, which tells a team's hooks of new orders as part of the statement that stores
 * them. Costs one look into the index of hooks for all orders together, and two index entries for each delivery, because
 * its id is that of the order.
 * @param orders a table expression with the columns `id` and `is_test`
 */
export const tellOfNew = (sql: Sql, teamId: Uuid, orders: Fragment) => sql`
      insert into hook_delivery (team_id, id, hook_id, type, subject_id)
      select ${teamId}, placed.id, hook.id, 'order.created', placed.id
      from hook join ${orders} placed on placed.is_test = hook.is_test
      where ${isToldOf(sql, teamId, 'order.created')}`;

/**
 * Tells a team's hooks of occurrences of one type, inside the transaction in which they occur, so that they are told
 * exactly if it commits. Costs one look into the index of hooks where there is none.
 */
export async function tell(
  tx: Sql,
  teamId: Uuid,
  type: HookEvent,
  occurrences: readonly Occurrence[],
): Promise<void> {
  if (occurrences.length === 0) return;
  const hooks = await tx<{ id: Uuid; isTest: boolean; now: Date }[]>`/* findToldHooks */
    select id, is_test as "isTest", now() from hook where ${isToldOf(tx, teamId, type)}`;
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
