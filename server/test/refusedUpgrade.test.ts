import { expect, it, onTestFinished } from 'vitest';
import { eraseBuyer } from '../src/commands/eraseBuyer.js';
import type { Sql } from '../src/database/connection/connect.js';
import { findSecret } from '../src/database/installation.js';
import { readUnread } from '../src/refused/readUnread.js';
import { refusedBounds } from '../src/refused/refusedBounds.js';
import { rollHours } from '../src/refused/rollHours.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { createTeam } from '../src/teams/sql/team.js';
import { newUuid, personUuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { startServerForTest } from './server.js';

const dayMs = 24 * 60 * 60_000;

/** A team in a database without a server, because a server reads by itself what release 0.2.0 has kept. */
async function addTeamAlone() {
  const { sql, close } = await createTestDatabase();
  onTestFinished(close);
  const uuid = newUuid();
  await createTeam(sql, { id: uuid, name: 'Test', storefrontUrl: 'https://shop.example' });
  await addDomain(sql, uuid, { entry: 'shop.example', isTest: false });
  return { sql, uuid };
}

/** Adds refused reports as a server of release 0.2.0 keeps them: `host` and `body` are SQL with `n` in it. */
const addOld = (
  { sql }: { sql: Sql },
  uuid: string,
  { reports, host, body }: { reports: number; host: string; body: string },
) =>
  sql.unsafe(`
    insert into refused_report (team_id, id, identity, reason, field, host, body, is_cut, received_at, last_at, times)
    select '${uuid}', gen_random_uuid(), ${host} || ' ' || n, 'invalid_request', 'email', ${host}, ${body}, false,
      now() - n * interval '1 minute', now(), 1
    from generate_series(1, ${reports}) n`);

it('of what release 0.2.0 has kept past the places of a kind, the oldest of the fullest hosts go', async () => {
  const team = await addTeamAlone();
  const { sql, uuid } = team;
  await addOld(team, uuid, { reports: 30, host: `'fullest.example'`, body: `repeat('x', 20000)` });
  await addOld(team, uuid, { reports: 20, host: `'made-up-' || n || '.example'`, body: `'{}'` });
  await addOld(team, uuid, { reports: 40, host: `'shop.example'`, body: `'{}'` });
  const places = { ...refusedBounds.places, unknown: 40 };
  await readUnread(sql, { places });
  const rows = await sql`
    select case when host like 'made-up%' then 'made up' else host end as host, count(*)::int as reports,
      sum(places)::int as places, min(received_at) > now() - interval '20 minutes' as is_late
    from refused_report where team_id = ${uuid} group by 1 order by 1`;
  expect(rows).toEqual([
    { host: 'fullest.example', reports: 10, places: 20, is_late: true },
    { host: 'made up', reports: 20, places: 20, is_late: false },
    { host: 'shop.example', reports: 40, places: 40, is_late: false },
  ]);
});

it('what release 0.2.0 has kept of a domain is not pushed out before it is read whose it is', async () => {
  const refused = { places: { ...refusedBounds.places, unknown: 5 } };
  const server = await startServerForTest(undefined, undefined, { refused });
  const { uuid, teamId } = await server.addTeam('shop.example');
  await addOld(server, uuid, { reports: 30, host: `'shop.example'`, body: `'{}'` });
  for (let n = 0; n < 8; n++) {
    const report = { teamId, email: 'ann@mail.example', amount: 1, orderId: `o-${n}` };
    await server.report(report, { origin: `https://made-up-${n}.example` });
  }
  const count = async (host: string) =>
    (await server.sql`select from refused_report where team_id = ${uuid} and host like ${host}`).length;
  expect([await count('shop.example'), await count('made-up-%')]).toEqual([30, 5]);
  await readUnread(server.sql, refused);
  expect([await count('shop.example'), await count('made-up-%')]).toEqual([30, 5]);
});

it('counts by hour become counts by day, no more than a day may have, and none is lost', async () => {
  const server = await startServerForTest();
  const { uuid } = await server.addTeam('shop.example');
  await server.sql`
    insert into refused_count
    select ${uuid}::uuid, date_trunc('day', now(), 'UTC') - n % 240 * interval '1 hour', 'domain_not_allowed',
      'made-up-' || n || '.example', '', 1, now()
    from generate_series(1, 5000) n`;
  await server.sql`
    insert into refused_count
    select ${uuid}::uuid, date_trunc('day', now(), 'UTC') - n * interval '1 hour', 'invalid_request', 'shop.example',
      'amount', 2, now()
    from generate_series(0, 23) n`;
  await rollHours(server.sql);
  const rows = await server.sql<{ hour: Date; host: string; reports: number }[]>`
    select hour, host, reports::int from refused_count where team_id = ${uuid}`;
  expect(rows.reduce((sum, { reports }) => sum + reports, 0)).toBe(5_048);
  expect(rows.every(({ hour }) => hour.getTime() % dayMs === 0)).toBe(true);
  expect(rows.length).toBeLessThan(11 * 103);
  const own = rows.filter(({ host }) => host === 'shop.example').map(({ reports }) => reports);
  expect(own.sort()).toEqual([2, 46]);
});

it('a buyer is erased from bodies that were not read yet, and from those that were', async () => {
  const team = await addTeamAlone();
  const { sql, uuid } = team;
  const body = `'{"n":' || n || ',"customer":{"email":"Ann <ann%40buyer.example>"},"to":["bob@buyer.example"]}'`;
  await addOld(team, uuid, { reports: 60, host: `'a.example'`, body });
  const erase = async (email: string) =>
    eraseBuyer(sql, uuid, { id: personUuid(await findSecret(sql), uuid, email), email });
  expect(await erase('joann@buyer.example')).toBeNull();
  await sql`update refused_report set email_hashes = null where team_id = ${uuid} and id::text > '8'`;
  expect(await erase('ann@buyer.example')).toMatchObject({ refused: 60 });
});

it('a running server reads by itself what a server of release 0.2.0 keeps beside it', async () => {
  const server = await startServerForTest();
  const { uuid } = await server.addTeam('shop.example');
  await addOld(server, uuid, {
    reports: 20,
    host: `'shop.example'`,
    body: `'{"email":["ann@buyer.example"]}'`,
  });
  const read = () => server.sql`
    select from refused_report where team_id = ${uuid} and is_allowed and places = 1 and email_hashes <> '{}'`;
  await expect.poll(read).toHaveLength(20);
});
