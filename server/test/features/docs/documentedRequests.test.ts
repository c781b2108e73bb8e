import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { runOrderbeacon } from '../../kit/command.js';
import { blocks } from '../../kit/documentation.js';
import { test } from '../../kit/shop.js';

const requests = blocks.filter(({ kind, code }) => kind === 'bash' && code.includes('curl '));

test('each curl command of the documentation gets what it asks for, one after the other, from a shop with the data that it names', async ({
  shop,
  server,
}) => {
  const { teamId } = shop;
  const run = async (args: string[], input = '') => {
    const { code, stdout, stderr } = await runOrderbeacon(
      [...args, '--team', teamId, '--json'],
      server.env,
      input,
    );
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
    return JSON.parse(stdout);
  };
  const { id } = await run(['sequence', 'create', '--name', 'Welcome']);
  await run(['person', 'add', '--email', 'ann@shop.example']);
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await run(['product', 'import', '-'], JSON.stringify([product]));

  const env = {
    PATH: process.env.PATH,
    SERVER: server.url,
    API_KEY: await shop.liveKey(),
    TEAM: teamId,
    SEQUENCE: id,
  };
  expect(requests.length).toBeGreaterThan(5);
  for (const { path, code } of requests) {
    if (path === 'server/guides/testing.md')
      await shop.reportByKey({ email: 'bob@shop.example', orderId: '1001' });
    const { stdout } = await promisify(execFile)('sh', ['-c', code], { env });
    expect([path, code, JSON.parse(stdout)]).toMatchObject([path, code, { success: true }]);
    // A refund of an unknown order would wait for it, without the figures that the guides promise.
    if (code.includes('/refunds')) expect([path, JSON.parse(stdout).data.order]).not.toContain(null);
  }
});
