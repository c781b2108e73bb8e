import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../kit/database.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';

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
