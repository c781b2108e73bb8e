import { expect, it } from 'vitest';
import { refusedBounds } from '../src/refused/refusedBounds.js';
import { countWaiting } from '../src/refused/sql/listRefused.js';
import { type Answer, startServerForTest } from './server.js';

it('beside a flood of refused reports every good order is stored, and every refusal is accounted for', async () => {
  const refused = {
    places: { ...refusedBounds.places, unknown: 500 },
    placesOfSender: 10,
    pushesPerMinute: 0,
    reportsWaiting: 40,
    rememberFullMs: 50,
    countEveryMs: 20,
  };
  const server = await startServerForTest({ refused });
  const { uuid, teamId } = await server.addTeam('shop.example');
  const order = { teamId, email: 'ann@mail.example', amount: 1 };
  const good: Promise<Answer>[] = [];
  const bad: Promise<Answer>[] = [];
  for (let n = 0; n < 3_000; n++) {
    const from = { origin: `https://host-${n % 100}.example` };
    // Some are repeated, some invalid.
    const body = { ...order, orderId: `bad-${n % 2_000}`, ...(n % 3 === 0 && { amount: '1' }) };
    bad.push(server.report(body, from));
    if (n % 10 === 0) good.push(server.report({ ...order, orderId: `good-${n}` }));
    if (n % 150 === 149) await Promise.all(bad.slice(-150));
  }
  const answers = await Promise.all(good);
  expect(answers.map(({ status, body }) => [status, body.data?.isNew])).toEqual(Array(300).fill([200, true]));
  const refusals = (await Promise.all(bad)).map(({ status }) => status);
  expect(new Set(refusals.filter((status) => status !== 503))).toEqual(new Set([400, 403]));
  const answered = refusals.filter((status) => status !== 503).length;

  const figures = (await server.send('GET', '/metrics')).text;
  const counts = [...figures.matchAll(/^orderbeacon_refused_reports_total\{outcome="(\w+)"\} (\d+)$/gm)];
  const byOutcome = Object.fromEntries(counts.map(([, outcome, count]) => [outcome, Number(count)]));
  expect(counts.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(answered);
  expect(Math.min(byOutcome.kept!, byOutcome.counted!)).toBeGreaterThan(0);
  const counted = async () =>
    (await server.sql`select sum(reports)::int as reports from refused_count where team_id = ${uuid}`)[0];
  await expect.poll(counted).toEqual({ reports: answered });
  expect(await countWaiting(server.sql, uuid)).toBe(byOutcome.kept);
  expect(byOutcome.kept).toBeLessThanOrEqual(500);
  const [{ times }] = (await server.sql`
    select sum(times)::int as times from refused_report`) as unknown as [{ times: number }];
  expect(times).toBe(byOutcome.kept! + byOutcome.repeated!);
});
