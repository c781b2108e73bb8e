import { expect, it } from 'vitest';
import { listLastRefusals } from '../src/refused/sql/refusalCount.js';
import { startServerForTest } from './server.js';

const from = (host: string) => ({ origin: `https://${host}` });
const buyer = { email: 'ann@mail.example', amount: 1 };
const dayMs = 24 * 60 * 60_000;

it('made-up hosts and fields are counted together past 100 a day, and domains and keys by themselves', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example', '*.eu.example');
  const key = await server.addKey(uuid);
  const send = (n: number) =>
    server.report({ teamId, ...buyer, orderId: `o-${n}` }, from(`host-${n}.example`));
  for (let n = 0; n < 300; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => send(n + at)));
  const bad = { teamId, ...buyer, amount: 'much' };
  for (const host of ['www.shop.example', 'a.eu.example', 'late.example'])
    await server.report(bad, from(host));
  await server.reportByKey(key, bad);
  const counts = () => server.sql<{ host: string; field: string; reports: number }[]>`
    select host, field, sum(reports)::int as reports from refused_count where team_id = ${uuid} group by 1, 2`;
  const sum = async () => (await counts()).reduce((total, { reports }) => total + reports, 0);
  await expect.poll(sum).toBe(304);
  const rows = await counts();
  expect(rows.length).toBeLessThanOrEqual(105);
  const own = rows.filter(({ host }) => !/^host-/.test(host));
  expect(own.map(({ host, field, reports }) => `${host} ${field} ${reports}`).sort()).toEqual([
    ' amount 1',
    `* * ${own.find(({ host }) => host === '*')!.reports}`,
    'a.eu.example amount 1',
    'www.shop.example amount 1',
  ]);
  const hosts = (await listLastRefusals(server.sql, uuid, new Date(Date.now() - dayMs))).map(
    ({ host }) => host,
  );
  expect(hosts).toEqual(expect.arrayContaining(['', 'a.eu.example', 'www.shop.example']));
});

it('the counts of a day are one row for each reason, host and field', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam();
  await server.report({ teamId, ...buyer }, from('a.example'));
  const days = () => server.sql<{ day: Date; reports: number }[]>`
    select day, reports::int from refused_count where team_id = ${uuid}`;
  await expect.poll(days).toHaveLength(1);
  const [{ day }] = (await days()) as unknown as [{ day: Date }];
  expect(day.getTime() % dayMs).toBe(0);
  await server.report({ teamId, ...buyer, orderId: 'o-2' }, from('a.example'));
  await expect.poll(days).toEqual([{ day, reports: 2 }]);
});
