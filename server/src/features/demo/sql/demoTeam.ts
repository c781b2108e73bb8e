import { findDemoTeam } from '../../../core/teams/sql/team.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** @returns true if somebody has removed the demo team */
export async function isDemoRemoved(sql: Sql): Promise<boolean> {
  const rows = await sql<{ isRemoved: boolean }[]>`/* isDemoRemoved */
    select demo_removed_at is not null as "isRemoved" from installation`;
  return rows[0]?.isRemoved ?? false;
}

/**
 * Records that the demo team was removed, so that no start creates it again. Called in the transaction that removes a team; it does
 * nothing if that is another team. A second removal does not change the recorded time.
 */
export async function noteRemoval(tx: Sql, teamId: Uuid, now: Date): Promise<void> {
  await lockDemo(tx);
  if ((await findDemoTeam(tx))?.id !== teamId) return;
  await tx`/* markDemoRemoved */
    update installation set demo_removed_at = ${now} where demo_removed_at is null`;
}

/** Locks the demo team until this transaction ends: no other transaction can create or remove it. */
export async function lockDemo(tx: Sql): Promise<void> {
  await tx`/* lockDemo */ select pg_advisory_xact_lock(hashtext('orderbeacon demo team'))`;
}
