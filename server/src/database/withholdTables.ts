import type { Sql } from './connection/connect.js';
import { tables } from './tables.js';

/** Lists the tables of Orderbeacon that the schema has. */
export async function listTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listTables */
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`;
  const known: readonly string[] = [...tables, 'migration'];
  return rows.map(({ name }) => name).filter((name) => known.includes(name));
}

/**
 * Revokes all rights on new tables from everybody but their owner, in the transaction that created them. A new table has the rights
 * of the default privileges: some platforms let everybody who knows a public key read every table.
 */
export async function withholdTables(tx: Sql, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const revokes = await tx<{ statement: string }[]>`/* listGranted */
    select distinct format('revoke all on table %s from %s', pg_class.oid::regclass,
      case grantee when 0 then 'public' else grantee::regrole::text end) as statement
    from pg_class cross join lateral aclexplode(relacl)
    where relnamespace = current_schema()::regnamespace and relname in ${tx(names)} and grantee <> relowner`;
  for (const { statement } of revokes) await tx.unsafe(statement);
}
