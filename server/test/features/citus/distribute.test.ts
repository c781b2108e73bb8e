import { expect, it, onTestFinished } from 'vitest';
import { tables } from '../../../src/database/tables.js';
import { referenceTables } from '../../../src/features/citus/distributedTables.js';
import { runOrderbeacon } from '../../kit/command.js';
import { createTestDatabase } from '../../kit/database.js';
import { dataFolder } from '../../kit/dataFolder.js';

const refusal =
  'orderbeacon: This database does not have the extension citus; set DATABASE_URL to the coordinator of a Citus cluster. On each of its nodes a superuser runs in this database: create extension citus.\n';

it('migrate --distribute is refused in one line where the database has no Citus, as the embedded one', async () => {
  const where = { ORDERBEACON_DATA_DIR: await dataFolder('migrated') };
  const { code, stdout, stderr } = await runOrderbeacon(['migrate', '--distribute'], where);
  expect([code, stdout, stderr]).toEqual([2, '', refusal]);
});

it('the schema keeps the rules of Citus: every unique index and foreign key contains team_id', async () => {
  const { sql, close } = await createTestDatabase();
  onTestFinished(close);
  const distributed = tables.filter((table) => !referenceTables.includes(table));
  const keys = await sql<{ table: string; columns: string[] }[]>`
    select indrelid::regclass::text as table, array(
      select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey)
    ) as columns
    from pg_index where indisunique and indrelid::regclass::text in ${sql(distributed)}`;
  expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(distributed));
  expect(keys.filter(({ columns }) => !columns.includes('team_id'))).toEqual([]);
  const references = await sql<{ from: string; to: string; pairs: string[] }[]>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to, array(
      select f.attname || '-' || t.attname from unnest(conkey, confkey) as k (f, t)
      join pg_attribute f on f.attrelid = conrelid and f.attnum = k.f
      join pg_attribute t on t.attrelid = confrelid and t.attnum = k.t
    ) as pairs
    from pg_constraint where contype = 'f' and conrelid::regclass::text in ${sql([...tables])}`;
  const isReference = (table: string) => referenceTables.some((name) => name === table);
  expect(references.filter(({ from, to }) => isReference(from) && !isReference(to))).toEqual([]);
  const betweenDistributed = references.filter(({ from, to }) => !isReference(from) && !isReference(to));
  expect(betweenDistributed.length).toBeGreaterThan(0);
  expect(betweenDistributed.filter(({ pairs }) => !pairs.includes('team_id-team_id'))).toEqual([]);
});
