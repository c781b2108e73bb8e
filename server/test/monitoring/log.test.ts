import { expect, it, onTestFinished } from 'vitest';
import { toReadable } from '../../src/monitoring/log.js';
import { createTestDatabase } from '../kit/database.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import { test } from '../kit/shop.js';

it('the last lines of a server that ends immediately are in its log', { tags: ['all'] }, async () => {
  const { env, close } = await createTestDatabase();
  onTestFinished(close);
  const server = await startServerProcess({
    ...env,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGTERM', () => process.exit(3));`)}`,
  });
  expect((await sendTo(new URL('/healthz', server.url), 'GET')).status).toBe(200);
  server.signal('SIGTERM');
  await server.ended;
  expect(server.output()).toContain('"/healthz"');
});

test('a request becomes one short line that keeps its outcome, team and id', async ({ server, shop }) => {
  const requestId = `of-${shop.team}`;
  await shop.report({}, { 'x-request-id': requestId });
  const { time: _, ...line } = JSON.parse(server.lines.find((text) => text.includes(requestId))!);
  expect(toReadable(JSON.stringify({ ...line, time: '2026-05-01T09:41:07.123Z', ms: 3.21 }))).toBe(
    `09:41:07 POST /svc-api/v1/orders 200 3.2 ms new ${shop.teamId} ${requestId}\n`,
  );
});

it('an error keeps its stack, without characters that could manipulate a terminal', () => {
  const line = { level: 50, time: '2026-05-01T09:41:07.123Z', requestId: 'r', error: 'Error: x\n    at y' };
  expect(toReadable(JSON.stringify(line))).toBe('09:41:07 error r Error: x\n    at y\n');
  const tricky = { method: 'POST', route: '/', status: 400, ms: 1, team: 'team_\u001b[2J\u202e' };
  const text = toReadable(JSON.stringify({ ...line, ...tricky }));
  expect(text).toContain('team_\uFFFD[2J\uFFFD');
  for (const trick of ['\u001b', '\u202e']) expect(text).not.toContain(trick);
});
