import { inject } from 'vitest';
import type { Sql } from '../../src/database/connection/connect.js';

/**
 * Creates the function and the trigger of a fault. On a distributed table, a Citus cluster refuses a trigger unless the session
 * allows it. Then it sends the statement to each shard.
 */
export async function createTrigger(sql: Sql, createFunction: string, create: string): Promise<void> {
  await sql.begin(async (tx) => {
    if (inject('isCitus')) await tx`set local citus.enable_unsafe_triggers = on`;
    await tx.unsafe(createFunction);
    await tx.unsafe(create);
  });
}
