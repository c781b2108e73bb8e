import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** How far back it looks: a host without orders is told by reading no more than these. */
const days = 30;

/** Finds when a page of a host has reported its last order, live or test, in 30 days; null for none. */
export async function findLastOrderOf(sql: Sql, teamId: Uuid, host: string): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }[]>`/* findLastOrderOf */
    select created_at as "createdAt" from placed_order
    where team_id = ${teamId} and created_at > ${new Date(Date.now() - days * 86_400_000)} and host = ${host}
    order by created_at desc
    limit 1`;
  return row?.createdAt ?? null;
}
