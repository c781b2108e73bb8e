import { expect, onTestFinished, test } from 'vitest';
import type { Sql } from '../../src/database/connection/connect.js';
import { migrate } from '../../src/database/migrate.js';
import { isMarked, ownMigrations } from '../../src/database/migrations.js';
import { checkRights } from '../../src/features/doctor/checkRights.js';
import { newUuid } from '../../src/values/ids.js';
import { createEmptyDatabase } from '../kit/database.js';

/** Opens an empty database of a hosting platform. It gives its role and everybody all rights on new tables. */
async function openPlatform() {
  const { sql, close } = await createEmptyDatabase();
  const [platform, reporting] = ['platform', 'reporting'].map((name) => `${name}_${newUuid().slice(-12)}`);
  for (const role of [platform!, reporting!]) await sql`create role ${sql(role)}`;
  onTestFinished(async () => {
    for (const role of [platform!, reporting!]) {
      await sql`drop owned by ${sql(role)}`;
      await sql`drop role ${sql(role)}`;
    }
    await close();
  });
  await sql`alter default privileges in schema public grant all on tables to ${sql(platform!)}`;
  await sql`alter default privileges grant select on tables to public`;
  return { sql, platform: platform!, reporting: reporting! };
}

/** Lists the tables on which a role has a right, with the right. */
const rightsOf = async (sql: Sql, role: string) =>
  (
    await sql<{ right: string }[]>`
      select relname || ' ' || right_name as right
      from pg_class cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate']) right_name
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and has_table_privilege(${role}, pg_class.oid, right_name)
      order by 1`
  ).map(({ right }) => right);

test('nobody gets rights on a new table, whatever the database gives by default', async () => {
  const { sql, platform } = await openPlatform();
  await migrate(sql);
  expect(await rightsOf(sql, platform)).toEqual([]);
  expect(await checkRights(sql)).toEqual([]);
  // Orderbeacon must not restrict a platform's own tables.
  await sql`create table other ()`;
  expect(await rightsOf(sql, platform)).toHaveLength(5);
});

test('an upgrade takes back what was given by default, and leaves what was granted', async () => {
  const { sql, platform, reporting } = await openPlatform();
  const older = ownMigrations().filter(({ name }) => name < '000005');
  await migrate(sql, older);
  await sql`create table other ()`;
  await sql`grant all on all tables in schema public to ${sql(platform)}`;
  await sql`grant select on all tables in schema public to public`;
  await sql`grant select on placed_order to ${sql(reporting)}`;
  await migrate(sql);
  expect((await rightsOf(sql, platform)).filter((right) => !right.startsWith('other '))).toEqual([]);
  expect((await rightsOf(sql, reporting)).filter((right) => !right.startsWith('other '))).toEqual([
    'placed_order select',
  ]);
  const [check] = await checkRights(sql);
  expect(check).toEqual({
    check: 'rights',
    ok: true,
    message: `Granted to others on purpose: ${reporting} on placed_order.`,
    fix: null,
  });
});

test('doctor finds a role that the database gives rights by default, and a right on one column', async () => {
  const { sql, platform, reporting } = await openPlatform();
  await migrate(sql);
  await sql`grant update (amount) on placed_order to ${sql(reporting)}`;
  expect((await checkRights(sql))[0]!.message).toBe(
    `Granted to others on purpose: ${reporting} on placed_order.`,
  );
  await sql`grant all on all tables in schema public to ${sql(platform)}`;
  const [found] = await checkRights(sql);
  expect(found).toMatchObject({ check: 'rights', ok: false, message: expect.stringContaining(platform) });
  await sql.unsafe(found!.fix!.replace(/^.*?: /, ''));
  expect((await checkRights(sql))[0]!.ok).toBe(true);
});

test('a migration outside a transaction makes no table, because rights are revoked in that of the table', () => {
  const alone = ownMigrations().filter((migration) => isMarked(migration, 'no transaction'));
  expect(alone.filter(({ text }) => /create table/i.test(text))).toEqual([]);
});
