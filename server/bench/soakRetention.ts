import { removeExpired } from '../src/core/orders/merge/waiting.js';
import type { Sql } from '../src/database/connection/connect.js';
import { expireRefused } from '../src/features/refused/cleanRefused.js';
import { removeDeliveries } from '../src/features/webhooks/sql/oldDelivery.js';
import { firstUuid, type Uuid } from '../src/values/ids.js';
import { minuteMs } from '../src/values/time.js';

/** Time after which a soak's rows are as old as a server's after 30 days. */
export const keptMinutes = 5;
const keptMs = keptMinutes * minuteMs;

/**
 * Ends by the server's own statements what is older than five minutes: deliveries, refused reports and refunds that wait. A server
 * does so hourly, with 30 days, which no soak reaches. Resolves with the rows of each kind that are left.
 */
export async function retain(sql: Sql, teamId: Uuid) {
  const hooks = await sql<{ id: Uuid }[]>`select id from hook where team_id = ${teamId}`;
  const oldest = firstUuid(Date.now() - keptMs);
  for (const { id } of hooks) while ((await removeDeliveries(sql, { teamId, id }, oldest)) > 0);
  const isOld = sql`between now() - interval '1 day' and now() - ${keptMs}::float8 * interval '1 ms'`;
  await sql`
    update refused_report set received_at = received_at - interval '31 days' where team_id = ${teamId} and received_at ${isOld}`;
  await expireRefused(sql);
  await sql`
    update statement set waits_since = waits_since - interval '31 days'
    where team_id = ${teamId} and placed_order_id is null and waits_since ${isOld}`;
  await removeExpired(sql, teamId);
  const [left] = await sql<{ deliveries: number; refused: number; waiting: number }[]>`
    select (select count(*)::int from hook_delivery where team_id = ${teamId}) as deliveries,
      (select count(*)::int from refused_report where team_id = ${teamId}) as refused,
      (select count(*)::int from statement where team_id = ${teamId} and placed_order_id is null) as waiting`;
  return left!;
}
