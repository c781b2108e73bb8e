import type { Sql } from './connection/connect.js';
import { isDatabaseAway } from './failures.js';
import { inTransaction } from './inTransaction.js';
import { isMarked, type Migration, splitStatements } from './migrations.js';
import { listTables, withholdTables } from './withholdTables.js';

/** Outcome of one attempt. `busy`: another server is migrating. */
export type StepOutcome = 'applied' | 'known' | 'busy';

/** Id of the lock for which two starting servers compete: "orderbea" in hex, as PostgreSQL's bigint. */
const lockKey = '8030591472428541281';

/** Applies a migration in one transaction: completely or not at all. */
export function applyTogether(sql: Sql, migration: Migration, lockTimeoutMs: number): Promise<StepOutcome> {
  return inTransaction(sql, async (tx): Promise<StepOutcome> => {
    await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = 0`);
    // Does not wait: the wait would hold a snapshot, and a concurrent build of an index waits for all snapshots.
    const [{ isOurs }] = await tx<[{ isOurs: boolean }]>`/* lockMigrations */
      select pg_try_advisory_xact_lock(${lockKey}) as "isOurs"`;
    if (!isOurs) return 'busy';
    const before = await listTables(tx);
    await createMigrationTable(tx);
    if (!(await record(tx, migration))) return 'known';
    // Executed one by one, because the nodes of a cluster accept only one statement at a time. Statements on one line stay
    // together, which only the simple protocol accepts.
    for (const statement of splitStatements(migration.text)) await tx.unsafe(statement).simple();
    await withholdTables(
      tx,
      (await listTables(tx)).filter((name) => !before.includes(name)),
    );
    return 'applied';
  });
}

/** Applies a migration statement by statement, on a reserved connection that holds the lock until the end. */
export async function applyAlone(
  sql: Sql,
  migration: Migration,
  lockTimeoutMs: number,
): Promise<StepOutcome> {
  const session = await sql.reserve();
  const release = async () => {
    await session.unsafe(
      `select pg_advisory_unlock(${lockKey}); reset lock_timeout; reset statement_timeout`,
    );
    session.release();
  };
  try {
    const outcome = await applyBy(session, migration, lockTimeoutMs);
    await release();
    return outcome;
  } catch (error) {
    // A lost connection has also lost its locks and settings, and must not return to the pool.
    if (!isDatabaseAway(error)) await release();
    throw error;
  }
}

async function applyBy(session: Sql, migration: Migration, lockTimeoutMs: number): Promise<StepOutcome> {
  await session.unsafe(`set lock_timeout = ${lockTimeoutMs}; set statement_timeout = 0`);
  const [{ isOurs }] = await session<[{ isOurs: boolean }]>`/* lockMigrations */
    select pg_try_advisory_lock(${lockKey}) as "isOurs"`;
  if (!isOurs) return 'busy';
  await createMigrationTable(session);
  const known = await session`/* findMigration */ select from migration where name = ${migration.name}`;
  if (known.length > 0) return 'known';
  await dropUnfinishedIndexes(session, migration);
  for (const statement of splitStatements(migration.text)) {
    // A concurrent build waits for old transactions, and blocks no other session. A retry would start from zero.
    const waitMs = /\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutMs;
    await session.unsafe(`set lock_timeout = ${waitMs}`);
    await session.unsafe(statement);
  }
  await record(session, migration);
  return 'applied';
}

async function createMigrationTable(sql: Sql): Promise<void> {
  await sql`/* createMigrationTable */
    create table if not exists migration (
      name text primary key,
      applied_at timestamptz(3) not null default now(),
      breaks_older boolean not null default false
    )`;
}

/**
 * Records a migration as applied.
 * @returns false if it was recorded already
 */
async function record(sql: Sql, migration: Migration): Promise<boolean> {
  const added = await sql`/* addMigration */
    insert into migration (name, breaks_older)
    values (${migration.name}, ${isMarked(migration, 'breaks older servers')})
    on conflict do nothing`;
  return added.count > 0;
}

/** Drops indexes whose build was interrupted. PostgreSQL never uses them, but `if not exists` takes them for finished. */
async function dropUnfinishedIndexes(session: Sql, { text }: Migration): Promise<void> {
  const unfinished = await session<{ name: string }[]>`/* listUnfinishedIndexes */
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace`;
  for (const { name } of unfinished.filter((index) => text.includes(index.name))) {
    await session`/* dropUnfinishedIndex */ drop index concurrently if exists ${session(name)}`;
  }
}
