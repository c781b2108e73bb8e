import { findDemoTeam } from '../../../core/teams/sql/team.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** True once somebody has removed the demo team. */
export async function isDemoRemoved(sql: Sql): Promise<boolean> {
  const rows = await sql<{ isRemoved: boolean }[]>`/* isDemoRemoved */
    select demo_removed_at is not null as "isRemoved" from installation`;
  return rows[0]?.isRemoved ?? false;
}

/**
 * Records that the demo team was removed, so that no start makes it again, inside the transaction that removes a team. The
 * first time counts. Another team's removal only waits for the lock.
 */
export async function noteRemoval(tx: Sql, teamId: Uuid, now: Date): Promise<void> {
  await lockDemo(tx);
  if ((await findDemoTeam(tx))?.id !== teamId) return;
  await tx`/* markDemoRemoved */
    update installation set demo_removed_at = ${now} where demo_removed_at is null`;
}

/** Keeps others from making or removing the demo until this transaction ends. */
export async function lockDemo(tx: Sql): Promise<void> {
  await tx`/* lockDemo */ select pg_advisory_xact_lock(hashtext('orderbeacon demo team'))`;
}
