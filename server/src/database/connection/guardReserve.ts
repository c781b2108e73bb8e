import type { Sql } from 'postgres';

/**
 * Makes a reservation wait for an open connection. In postgres.js 3.4.9 one that has to open its connection never
 * resolves where no types are fetched; on a pool that has ended it opens one that keeps the process alive.
 */
export function guardReserve(sql: Sql): void {
  const reserve = sql.reserve.bind(sql);
  sql.reserve = async () => {
    // Opens a connection, and rejects when the pool has ended.
    await sql`/* openConnection */ select`;
    return reserve();
  };
}
