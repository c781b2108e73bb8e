import type { Sql } from '../../database/connection/connect.js';

/** Whether somebody has removed the demo for good. */
export async function isDemoRemoved(sql: Sql): Promise<boolean> {
  const rows = await sql<{ isRemoved: boolean }[]>`/* isDemoRemoved */
    select demo_removed_at is not null as "isRemoved" from installation`;
  return rows[0]?.isRemoved ?? false;
}
