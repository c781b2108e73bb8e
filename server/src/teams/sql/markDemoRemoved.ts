import type { Sql } from '../../database/connection/connect.js';

/** Notes that the demo was removed for good; the first time counts. */
export async function markDemoRemoved(sql: Sql, now: Date): Promise<void> {
  await sql`/* markDemoRemoved */
    update installation set demo_removed_at = ${now} where demo_removed_at is null`;
}
