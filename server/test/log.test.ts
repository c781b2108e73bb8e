import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createAnswerLog } from '../src/monitoring/log.js';
import { createTestDatabase } from './database.js';
import { startServerProcess } from './process.js';
import { sendTo } from './server.js';

it('the last lines of a server that ends immediately are in its log', async () => {
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

it('an answered request has the line that pino would write, at its level', () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: () => ',"time":"now"' }, { write: (line) => lines.push(line) });
  const line = {
    method: 'GET',
    route: '/:id',
    status: 403,
    ms: 0.07,
    requestId: 'r"1',
    host: 'shop.example',
  };
  const facts = { fields: ['items.*', '\u2028"'], team: undefined, outcome: 'domain_not_allowed' };
  const writeAnswer = createAnswerLog(log);
  log.info({ ...line, ...facts });
  writeAnswer({ ...line, ...facts });
  expect(lines[1]!.replace(/"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/, '"time":"now"')).toBe(lines[0]);
  log.level = 'warn';
  writeAnswer(line);
  expect(lines).toHaveLength(2);
});
