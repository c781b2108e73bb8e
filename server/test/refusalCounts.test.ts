import { expect } from 'vitest';
import { listLastRefusals } from '../src/refused/sql/refusalCount.js';
import { test } from './shop.js';

const from = (host: string) => ({ origin: `https://${host}` });
const dayMs = 24 * 60 * 60_000;

test('made-up hosts and fields are counted together past 100 a day, and domains and keys by themselves', async ({
  shop,
}) => {
  await shop.addDomain('*.eu.example');
  const send = (n: number) => shop.report({}, from(`host-${n}.example`));
  for (let n = 0; n < 150; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => send(n + at)));
  const bad = { amount: 'much' };
  for (const host of [`www.${shop.domain}`, 'a.eu.example', 'late.example'])
    await shop.report(bad, from(host));
  await shop.reportByKey(bad);
  const counts = () => shop.sql<{ host: string; field: string; reports: number }[]>`
    select host, field, sum(reports)::int as reports from refused_count where team_id = ${shop.team} group by 1, 2`;
  const sum = async () => (await counts()).reduce((total, { reports }) => total + reports, 0);
  await expect.poll(sum).toBe(154);
  const rows = await counts();
  expect(rows.length).toBeLessThanOrEqual(105);
  const own = rows.filter(({ host }) => !/^host-/.test(host));
  expect(own.map(({ host, field, reports }) => `${host} ${field} ${reports}`).sort()).toEqual([
    ' amount 1',
    `* * ${own.find(({ host }) => host === '*')!.reports}`,
    'a.eu.example amount 1',
    `www.${shop.domain} amount 1`,
  ]);
  const last = await listLastRefusals(shop.sql, shop.team, new Date(Date.now() - dayMs));
  const hosts = last.map(({ host }) => host);
  expect(hosts).toEqual(expect.arrayContaining(['', 'a.eu.example', `www.${shop.domain}`]));
});

test('the counts of a day are one row for each reason, host and field', async ({ shop }) => {
  const days = () => shop.sql<{ day: Date; reports: number }[]>`
    select day, reports::int from refused_count where team_id = ${shop.team}`;
  await shop.report({}, from('a.example'));
  await expect.poll(days).toHaveLength(1);
  const [first] = await days();
  expect(first!.day.getTime() % dayMs).toBe(0);
  await shop.report({}, from('a.example'));
  await expect.poll(days).toEqual([{ day: first!.day, reports: 2 }]);
});
