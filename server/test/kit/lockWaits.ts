import { inject } from 'vitest';
import type { Sql } from '../../src/database/connection/connect.js';

/** A statement that waits for a lock. */
interface WaitingStatement {
  query: string;
}

/**
 * Finds the statements of this database that wait for a lock. On a Citus cluster the lock is mostly held on a worker, and the
 * coordinator's `pg_stat_activity` does not show it. `citus_lock_waits` has a row for each pair of waiting and blocking
 * statement.
 */
export async function findLockWaits(sql: Sql): Promise<WaitingStatement[]> {
  if (inject('isCitus'))
    return sql`
    select min(blocked_statement) as query from citus_lock_waits group by waiting_gpid`;
  return sql`
    select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
}

/** Finds the statements that wait for a lock of this transaction, as another connection sees them. */
export async function findWaitsBehind(sql: Sql, tx: Sql): Promise<WaitingStatement[]> {
  if (inject('isCitus')) {
    const [self] = await tx<[{ gpid: string }]>`select citus_backend_gpid() as gpid`;
    return sql`select blocked_statement as query from citus_lock_waits where blocking_gpid = ${self.gpid}`;
  }
  const [self] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
  return sql`select query from pg_stat_activity where ${self.pid} = any(pg_blocking_pids(pid))`;
}
