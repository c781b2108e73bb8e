import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { ShopSource } from '../source.js';
import type { EventOutcome } from '../storeEvent.js';

/** Records the outcome of a source's last event. */
export async function noteLastEvent(
  sql: Sql,
  { teamId, id }: Pick<ShopSource, 'teamId' | 'id'>,
  outcome: EventOutcome,
): Promise<void> {
  await sql`/* noteLastEvent */
    update source set last_event_at = statement_timestamp(), last_outcome = ${outcome}
    where team_id = ${teamId} and id = ${id}`;
}

/** Records the orders that a source has told of, and removes those of more than 30 days ago. */
export async function noteOrders(
  sql: Sql,
  { teamId, id }: Pick<ShopSource, 'teamId' | 'id'>,
  orderIds: readonly Uuid[],
  at: Date,
): Promise<void> {
  const rows = orderIds.map((orderId) => ({ team_id: teamId, source_id: id, placed_order_id: orderId, at }));
  await sql`/* noteOrders */
    insert into source_event ${sql(rows)}
    on conflict (team_id, source_id, placed_order_id) do update set at = excluded.at`;
  await sql`/* forgetOrders */
    delete from source_event where team_id = ${teamId} and at < now() - interval '30 days'`;
}
