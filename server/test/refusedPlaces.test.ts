import { expect, it, onTestFinished } from 'vitest';
import { startClock } from '../src/database/clock.js';
import { createRefusedKeeper } from '../src/refused/keepRefused.js';
import { type RefusedBounds, refusedBounds } from '../src/refused/refusedBounds.js';
import { ApiError } from '../src/values/errors.js';
import { patient, startServerForTest } from './server.js';
import { openShop, type Shop } from './shop.js';

const from = (host: string) => ({ origin: `https://${host}` });
const bad = (orderId: string) => ({ orderId, amount: 'much' });
/** 60 kB, which is four places. */
const long = 'x'.repeat(60_000);

const open = async (unknown: number, more: Partial<RefusedBounds> = {}) => {
  const places = { ...refusedBounds.places, unknown };
  return openShop(await startServerForTest({ refused: { places, ...more } }));
};
const keptOf = async (shop: Shop) => (await shop.refused()).map(({ orderId }) => orderId);

it('where made-up hosts have filled a team, reports of its domains, of its keys and of a new host are kept', async () => {
  const shop = await openShop(await startServerForTest());
  await shop.sql`
    insert into refused_report (team_id, id, identity, reason, field, host, body, is_cut, received_at, last_at, times,
      is_allowed, places)
    select ${shop.team}, gen_random_uuid(), 'made up ' || n, 'domain_not_allowed', '', 'made-up-' || n % 10 || '.example',
      '{}', false, at, at, 1, false, 1
    from generate_series(1, 10000) n, lateral (select now() - n * interval '1 minute' as at) t`;
  await shop.report(bad('page'));
  await shop.reportByKey(bad('key'));
  await shop.report({ orderId: 'new' }, from('new.example'));
  expect((await keptOf(shop)).filter((orderId) => orderId !== null)).toEqual(['page', 'key', 'new']);
});

it('a host that has no place pushes out the oldest report of the fullest host, until it is as full', async () => {
  const shop = await open(6, { placesOfSender: 4 });
  for (const [host, reports] of Object.entries({ a: 5, b: 2, c: 3 }))
    for (let n = 0; n < reports; n++) await shop.report({ orderId: `${host}-${n}` }, from(`${host}.example`));
  // The fifth of a is one too many for a host; the third of c would make c the fullest.
  expect((await keptOf(shop)).sort()).toEqual(['a-2', 'a-3', 'b-0', 'b-1', 'c-0', 'c-1']);
  const { text } = await shop.server.send('GET', '/metrics');
  for (const outcome of ['kept"} 8', 'counted"} 2', 'evicted"} 2'])
    expect(text).toContain(`orderbeacon_refused_reports_total{outcome="${outcome}`);
});

it('made-up hosts with one report each push out the oldest, and take no place of domains and keys', async () => {
  const shop = await open(5, { places: { key: 2, allowed: 2, unknown: 5 } });
  await shop.addDomain('*.shop.example');
  for (const n of [0, 1]) {
    await shop.report(bad(`page-${n}`), from('eu.shop.example'));
    await shop.reportByKey(bad(`key-${n}`));
  }
  // The longest name of a host, a page that names none, and a host that only looks like one of the team's.
  const longest = `${'a.'.repeat(122)}example`;
  const odd = ['xn--bcher-kva.example', longest, 'null', 'shop.example.evil.example'];
  const hosts = [...[...Array(20).keys()].map((n) => `host-${n}.example`), ...odd];
  for (const [n, host] of hosts.entries())
    await shop.report({ orderId: `${n}` }, host === 'null' ? { origin: 'null' } : from(host));
  expect(await keptOf(shop)).toEqual(['page-0', 'key-0', 'page-1', 'key-1', '19', '20', '21', '22', '23']);
});

it('a domain that is allowed meanwhile has places of its own, also for what it sends again', async () => {
  const shop = await open(2);
  await shop.report(bad('mine'), from('mine.example'));
  await shop.addDomain('mine.example');
  await shop.report(bad('mine'), from('mine.example'));
  for (let n = 0; n < 5; n++) await shop.report({ orderId: `o-${n}` }, from(`made-up-${n}.example`));
  expect(await keptOf(shop)).toEqual(['mine', 'o-3', 'o-4']);
});

it('a body takes a place for each 16 KiB, so that places limit the bytes of a host and of a team', async () => {
  const shop = await open(20, { placesOfSender: 8 });
  const send = (host: string) => shop.report({ name: long }, from(`${host}.example`));
  for (let n = 0; n < 3; n++) await send('a');
  expect(await shop.refused()).toHaveLength(2);
  for (let n = 0; n < 10; n++) await send(`b-${n}`);
  const kept = await shop.refused();
  expect(kept).toHaveLength(5);
  const bytes = kept.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  expect(bytes).toBeLessThanOrEqual(20 * 16 * 1024);
});

it('past a number of reports a minute that push out others, made-up hosts leave what was kept before', async () => {
  const shop = await open(5, { pushesPerMinute: 1 });
  for (let n = 0; n < 12; n++) await shop.report({ orderId: `o-${n}` }, from(`host-${n}.example`));
  expect(await keptOf(shop)).toEqual(['o-1', 'o-2', 'o-3', 'o-4', 'o-5']);
  await shop.report(bad('page'));
  expect(await keptOf(shop)).toHaveLength(6);
});

it('several servers together keep no more than one, whatever comes concurrently', async () => {
  const shop = await open(20);
  const places = { ...refusedBounds.places, unknown: 20 };
  const bounds = { ...patient.refused, places, placesOfSender: 4 };
  const clock = await startClock(shop.sql);
  onTestFinished(() => clock.stop());
  const keepers = [1, 2, 3].map(() => createRefusedKeeper(shop.sql, () => {}, bounds, clock));
  const error = new ApiError('domain_not_allowed');
  const keeping = Array.from({ length: 300 }, (_, n) => {
    const value = shop.order();
    const sent = { text: JSON.stringify(value), value, isCut: false, keyHash: null, idempotencyKey: null };
    return keepers[n % 3]!.keep(shop.team, { ...sent, error, field: '', host: `host-${n % 30}.example` });
  });
  await Promise.all(keeping);
  expect(await shop.refused()).toHaveLength(20);
  await Promise.all(keepers.map(({ stop }) => stop()));
  const [row] = await shop.sql`select sum(reports)::int as reports from refused_count`;
  expect(row!.reports).toBe(300);
});
