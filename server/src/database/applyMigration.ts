import type { Sql } from './connection/connect.js';
import { isDatabaseAway } from './failures.js';
import { isMarked, type Migration, splitStatements } from './migrations.js';

/** What a try came to; `busy`: another server is migrating. */
export type StepOutcome = 'applied' | 'known' | 'busy';

/** Names the lock that two servers starting at once compete for: "orderbea" in hex, as PostgreSQL's bigint. */
const lockKey = '8030591472428541281';

/** Applies a migration in one transaction: whole or not at all. */
export function applyTogether(sql: Sql, migration: Migration, lockTimeoutMs: number): Promise<StepOutcome> {
  return sql.begin(async (transaction) => {
    const tx = transaction as unknown as Sql;
    await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = 0`);
    // Never waits for it: the wait would hold a snapshot, and an index that is built beside it waits for that.
    const [{ isOurs }] = await tx<[{ isOurs: boolean }]>`/* lockMigrations */
      select pg_try_advisory_xact_lock(${lockKey}) as "isOurs"`;
    if (!isOurs) return 'busy';
    await createMigrationTable(tx);
    if (!(await note(tx, migration))) return 'known';
    // One by one: of several at once Citus sends the whole text to its workers, which refuse it. What still stands
    // together, on one line, only the simple protocol takes.
    for (const statement of splitStatements(migration.text)) await tx.unsafe(statement).simple();
    return 'applied';
  });
}

/** Applies a migration statement by statement, on a connection of its own that holds the lock between them. */
export async function applyAlone(
  sql: Sql,
  migration: Migration,
  lockTimeoutMs: number,
): Promise<StepOutcome> {
  const session = await sql.reserve();
  const giveBack = async () => {
    await session.unsafe(
      `select pg_advisory_unlock(${lockKey}); reset lock_timeout; reset statement_timeout`,
    );
    session.release();
  };
  try {
    const outcome = await applyBy(session, migration, lockTimeoutMs);
    await giveBack();
    return outcome;
  } catch (error) {
    // A connection that is gone has lost its locks and settings, and nobody must get it back.
    if (!isDatabaseAway(error)) await giveBack();
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
    // What runs concurrently waits for old transactions, and nobody queues behind it; a retry would start anew.
    const waitMs = /\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutMs;
    await session.unsafe(`set lock_timeout = ${waitMs}`);
    await session.unsafe(statement);
  }
  await note(session, migration);
  return 'applied';
}

async function createMigrationTable(sql: Sql): Promise<void> {
  await sql`/* createMigrationTable */
    create table if not exists migration (
      name text primary key,
      applied_at timestamptz(3) not null default now(),
      breaks_older boolean not null default false
    )`;
  const [{ isOld }] = await sql<[{ isOld: boolean }]>`/* isMigrationTableOld */
    select not exists (
      select from pg_attribute where attrelid = 'migration'::regclass and attname = 'breaks_older'
    ) as "isOld"`;
  if (!isOld) return;
  // Release 0.1.0 made it without this column.
  await sql`/* updateMigrationTable */
    alter table migration add column breaks_older boolean not null default false`;
}

/** False when it was there already. */
async function note(sql: Sql, migration: Migration): Promise<boolean> {
  const added = await sql`/* addMigration */
    insert into migration (name, breaks_older)
    values (${migration.name}, ${isMarked(migration, 'breaks older servers')})
    on conflict do nothing`;
  return added.count > 0;
}

/** An index whose building was cut off stays, is never used, and passes for made with `if not exists`. */
async function dropUnfinishedIndexes(session: Sql, { text }: Migration): Promise<void> {
  const unfinished = await session<{ name: string }[]>`/* listUnfinishedIndexes */
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace`;
  for (const { name } of unfinished.filter((index) => text.includes(index.name))) {
    await session`/* dropUnfinishedIndex */ drop index concurrently if exists ${session(name)}`;
  }
}
