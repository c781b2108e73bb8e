import { expect, it, onTestFinished } from 'vitest';
import { runProcess } from './process.js';
import { startTestServer } from './server.js';

it('compares 200,000 rows, nearly all of them missing, in a heap of 256 MB', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const body = { teamId, email: 'ann@buyer.example', amount: 5, currency: 'EUR' };
  await server.reportByKey(key, { ...body, orderId: 'R77777' });
  await server.reportByKey(key, { ...body, orderId: 'extra' });
  const rows = Array.from({ length: 200_000 }, (_, n) => `R${n},5,EUR,p${n}@buyer.example,2026-05-01`);
  const csv = `orderId,amount,currency,email,when\n${rows.join('\n')}\n`;
  const env = { ...server.env, NODE_OPTIONS: '--max-old-space-size=256' };
  const { code, stdout, stderr } = await runProcess(
    ['order', 'compare', '--team', teamId, '-', '--json'],
    env,
    csv,
  );
  expect([code, stderr]).toEqual([1, '']);
  const json = JSON.parse(stdout);
  expect(json).toMatchObject({ orders: 200_000, equal: 1, counts: { missing: 199_999, onlyHere: 1 } });
  expect(json.missing).toHaveLength(199_999);
  expect(json.missing.at(-1)).toMatchObject({ line: 200_001, orderId: 'R199999', amount: 5 });
});
