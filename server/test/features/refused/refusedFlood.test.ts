import { expect, it } from 'vitest';
import { type Answer, startServerForTest } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';
import { withRefused } from './kit/inTests.js';

it('beside a flood of refused reports every good order is stored, and every refusal is accounted for', {
  tags: ['all'],
}, async () => {
  const refused = {
    reportsOfSender: 10,
    reportsWaiting: 40,
  };
  const {
    server,
    sql,
    report,
    refused: kept,
  } = await openShop(await startServerForTest(withRefused(refused)));
  const good: Promise<Answer>[] = [];
  const bad: Promise<Answer>[] = [];
  for (let n = 0; n < 600; n++) {
    const from = { origin: `https://host-${n % 20}.example` };
    // Some reports are repeated, and some are invalid.
    bad.push(report({ orderId: `bad-${n % 400}`, ...(n % 3 === 0 && { amount: '1,00' }) }, from));
    if (n % 10 === 0) good.push(report({ orderId: `good-${n}` }));
    if (n % 150 === 149) await Promise.all(bad.slice(-150));
  }
  const answers = await Promise.all(good);
  expect(answers.map(({ status, body }) => [status, body.data?.isNew])).toEqual(Array(60).fill([200, true]));
  const refusals = (await Promise.all(bad)).map(({ status }) => status).filter((status) => status !== 503);
  expect(new Set(refusals)).toEqual(new Set([400, 403]));

  const figures = (await server.send('GET', '/metrics')).text;
  const counts = [...figures.matchAll(/^orderbeacon_refused_reports_total\{outcome="(\w+)"\} (\d+)$/gm)];
  const byOutcome: Record<string, number> = Object.fromEntries(
    counts.map(([, outcome, count]) => [outcome, Number(count)]),
  );
  expect(byOutcome.evicted).toBe(0);
  expect(Object.values(byOutcome).reduce((sum, count) => sum + count, 0)).toBe(refusals.length);
  expect(Math.min(byOutcome.kept!, byOutcome.counted!)).toBeGreaterThan(0);
  expect(await kept()).toHaveLength(byOutcome.kept!);
  expect(byOutcome.kept).toBeLessThanOrEqual(20 * refused.reportsOfSender);
  const [row] = await sql`select sum(times)::int as times from refused_report`;
  expect(row!.times).toBe(byOutcome.kept! + byOutcome.repeated!);
});
