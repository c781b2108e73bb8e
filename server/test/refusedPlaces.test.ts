import { expect, it, onTestFinished } from 'vitest';
import { startClock } from '../src/database/clock.js';
import { createRefusedKeeper } from '../src/refused/keepRefused.js';
import { type RefusedBounds, refusedBounds } from '../src/refused/refusedBounds.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { ApiError } from '../src/values/errors.js';
import { waitingOf } from './refused.js';
import { patient, startServerForTest } from './server.js';

const from = (host: string) => ({ origin: `https://${host}` });
const buyer = { email: 'ann@mail.example', amount: 1 };
/** 60 kB, which is four places. */
const long = 'x'.repeat(60_000);

const start = (refused: Partial<RefusedBounds>) => startServerForTest({ refused });
type PlacesServer = Awaited<ReturnType<typeof start>>;

/** Fills a team with 10,000 refused reports: 1,000 each of ten hosts. */
const fill = ({ sql }: PlacesServer, uuid: string) => sql`
  insert into refused_report (team_id, id, identity, reason, field, host, body, is_cut, received_at, last_at, times, is_allowed, places)
  select ${uuid}, gen_random_uuid(), 'made up ' || n, 'domain_not_allowed', '', 'made-up-' || n % 10 || '.example', '{}',
    false, at, at, 1, false, 1
  from generate_series(1, 10000) n, lateral (select now() - n * interval '1 minute' as at) t`;

/** Kept reports of each host and key, the most first. */
const senders = ({ sql }: PlacesServer, uuid: string) => sql<{ sender: string; reports: number }[]>`
  select case when key_hash is null then host else 'key' end as sender, count(*)::int as reports from refused_report
  where team_id = ${uuid} group by 1 order by 2 desc, 1`;

it('where made-up hosts have filled a team, reports of its domains, of its keys and of a new host are kept', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  await fill(server, uuid);
  await server.report({ teamId, ...buyer, amount: 'much', orderId: 'page' });
  await server.reportByKey(key, { ...buyer, amount: 'much', orderId: 'key' });
  await server.report({ teamId, ...buyer, orderId: 'new' }, from('new.example'));
  const kept = (await waitingOf(server.sql, uuid)).filter(({ email }) => email === buyer.email);
  expect(kept.map(({ orderId }) => orderId)).toEqual(['new', 'key', 'page']);
});

it('a host that has no place pushes out the oldest report of the fullest host, until it is as full', async () => {
  const server = await start({ places: { ...refusedBounds.places, unknown: 6 }, placesOfSender: 4 });
  const { uuid, teamId } = await server.addTeam();
  const send = (host: string, n: number) =>
    server.report({ teamId, ...buyer, orderId: `${host}-${n}` }, from(`${host}.example`));
  for (const [host, reports] of Object.entries({ a: 5, b: 2, c: 3 })) {
    for (let n = 0; n < reports; n++) await send(host, n);
  }
  const kept = (await waitingOf(server.sql, uuid)).map(({ orderId }) => orderId).sort();
  // The fifth of a is one too many for a host; the third of c would make c the fullest.
  expect(kept).toEqual(['a-2', 'a-3', 'b-0', 'b-1', 'c-0', 'c-1']);
  const { text } = await server.send('GET', '/metrics');
  for (const outcome of ['kept"} 8', 'counted"} 2', 'evicted"} 2']) {
    expect(text).toContain(`orderbeacon_refused_reports_total{outcome="${outcome}`);
  }
});

it('made-up hosts with one report each push out the oldest, and take no place of domains and keys', async () => {
  const places = { key: 2, allowed: 2, unknown: 5 };
  const server = await start({ places });
  const { uuid, teamId } = await server.addTeam('*.shop.example');
  const key = await server.addKey(uuid);
  for (let n = 0; n < 2; n++) {
    await server.report({ teamId, ...buyer, amount: 'much', orderId: `page-${n}` }, from('eu.shop.example'));
    await server.reportByKey(key, { ...buyer, amount: 'much', orderId: `key-${n}` });
  }
  const hosts = [...Array(20).keys()].map((n) => `host-${n}.example`);
  // The longest name of a host, a page that names none, and a host that only looks like one of the team's.
  const longest = `${'a.'.repeat(122)}example`;
  hosts.push('xn--bcher-kva.example', longest, '', 'shop.example.evil.example');
  for (const host of hosts) {
    await server.report(
      { teamId, ...buyer, orderId: `o-${host}` },
      host === '' ? { origin: 'null' } : from(host),
    );
  }
  expect(await senders(server, uuid)).toEqual(
    [
      { sender: 'eu.shop.example', reports: 2 },
      { sender: 'key', reports: 2 },
      ...['', longest, 'shop.example.evil.example', 'host-19.example', 'xn--bcher-kva.example'].map(
        (sender) => ({ sender, reports: 1 }),
      ),
    ].sort((a, b) => b.reports - a.reports || (a.sender < b.sender ? -1 : 1)),
  );
});

it('a domain that is allowed meanwhile has places of its own, also for what it sends again', async () => {
  const server = await start({ places: { ...refusedBounds.places, unknown: 2 } });
  const { uuid, teamId } = await server.addTeam();
  const mine = { teamId, ...buyer, amount: 'much', orderId: 'mine' };
  await server.report(mine, from('mine.example'));
  await addDomain(server.sql, uuid, { entry: 'mine.example', isTest: false });
  await server.report(mine, from('mine.example'));
  for (let n = 0; n < 5; n++)
    await server.report({ teamId, ...buyer, orderId: `o-${n}` }, from(`made-up-${n}.example`));
  expect((await senders(server, uuid)).map(({ sender }) => sender)).toContain('mine.example');
  expect(await waitingOf(server.sql, uuid)).toHaveLength(3);
});

it('a body takes a place for each 16 KiB, so that places limit the bytes of a host and of a team', async () => {
  const server = await start({ places: { ...refusedBounds.places, unknown: 20 }, placesOfSender: 8 });
  const { uuid, teamId } = await server.addTeam();
  const send = (host: string, n: number) =>
    server.report({ teamId, ...buyer, orderId: `${host}-${n}`, name: long }, from(`${host}.example`));
  for (let n = 0; n < 3; n++) await send('a', n);
  expect(await senders(server, uuid)).toEqual([{ sender: 'a.example', reports: 2 }]);
  for (let n = 0; n < 10; n++) await send(`b-${n}`, 0);
  const [{ bytes }] = await server.sql<[{ bytes: number }]>`
    select sum(octet_length(body))::int as bytes from refused_report where team_id = ${uuid}`;
  expect(bytes).toBeLessThanOrEqual(20 * 16 * 1024);
  expect(await waitingOf(server.sql, uuid)).toHaveLength(5);
});

it('past 300 reports a minute that push out others, made-up hosts leave what was kept before', async () => {
  const server = await start({ places: { ...refusedBounds.places, unknown: 5 }, pushesPerMinute: 1 });
  const { uuid, teamId } = await server.addTeam('shop.example');
  for (let n = 0; n < 12; n++) {
    const host = from(`host-${n}.example`);
    await server.report({ teamId, ...buyer, orderId: `o-${n}` }, host);
  }
  const kept = await waitingOf(server.sql, uuid);
  expect(kept.map(({ orderId }) => orderId)).toEqual(['o-5', 'o-4', 'o-3', 'o-2', 'o-1']);
  await server.report({ teamId, ...buyer, amount: 'much', orderId: 'page' });
  expect(await waitingOf(server.sql, uuid)).toMatchObject([{ orderId: 'page' }, {}, {}, {}, {}, {}]);
});

it('several servers together keep no more than one, whatever comes concurrently', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam();
  const places = { ...refusedBounds.places, unknown: 20 };
  const bounds = { ...patient.refused, places, placesOfSender: 4 };
  const clock = await startClock(server.sql);
  onTestFinished(() => clock.stop());
  const keepers = [1, 2, 3].map(() => createRefusedKeeper(server.sql, () => {}, bounds, clock));
  const error = new ApiError('domain_not_allowed');
  const keeping = Array.from({ length: 300 }, (_, n) => {
    const value = { teamId, ...buyer, orderId: `o-${n}` };
    const sent = { text: JSON.stringify(value), value, isCut: false, keyHash: null, idempotencyKey: null };
    return keepers[n % 3]!.keep(uuid, { ...sent, error, field: '', host: `host-${n % 30}.example` });
  });
  await Promise.all(keeping);
  expect(await waitingOf(server.sql, uuid)).toHaveLength(20);
  await Promise.all(keepers.map(({ stop }) => stop()));
  const [{ reports }] = await server.sql<[{ reports: number }]>`
    select sum(reports)::int as reports from refused_count where team_id = ${uuid}`;
  expect(reports).toBe(300);
});
