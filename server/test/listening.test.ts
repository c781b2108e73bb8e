import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from './database.js';
import { runProcess, startServerProcess } from './process.js';

/** The settings of a server on a database of its own. */
async function createEnv(): Promise<Record<string, string>> {
  const { env, close } = await createTestDatabase();
  onTestFinished(close);
  return env;
}

it('a HOST that is no address of this machine is told in one line that names it and the fix', async () => {
  const { code, stderr } = await runProcess(['serve'], {
    ...(await createEnv()),
    HOST: '999.1.1.1',
    PORT: '0',
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^orderbeacon: Cannot listen on HOST "999\.1\.1\.1", PORT 0: [^\n]+\. Set HOST to an address of this machine, [^\n]+\n$/,
  );
});

it('a PORT that is taken is told in one line that names it and the fix', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await runProcess(['serve'], { ...(await createEnv()), PORT: String(port) });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    new RegExp(
      `^orderbeacon: Cannot listen on HOST "127\\.0\\.0\\.1", PORT ${port}: [^\\n]*EADDRINUSE[^\\n]*\\. Stop the program that uses it, or set another PORT\\.\\n$`,
    ),
  );
});

it('a server says what it is bound to, and apart from that where browsers find it', async () => {
  const env = await createEnv();
  const behindProxy = await startServerProcess({ ...env, PUBLIC_URL: 'https://orders.shop.example' });
  expect(behindProxy.output()).toMatch(
    /listens on http:\/\/127\.0\.0\.1:\d+ \(for browsers: https:\/\/orders\.shop\.example\)\n/,
  );
  expect(behindProxy.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const everywhere = await startServerProcess({ ...env, HOST: '0.0.0.0' });
  expect(everywhere.output()).toMatch(
    /listens on http:\/\/0\.0\.0\.0:(\d+) \(for browsers: http:\/\/localhost:\1\)\n/,
  );
});
