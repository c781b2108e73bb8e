import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { blocks } from './documentation.js';
import { startServerForTest } from './server.js';

const requests = blocks.filter(({ kind, code }) => kind === 'bash' && code.includes('curl '));

it('each curl command of the documentation gets what it asks for, one after the other, from a shop with the data that it names', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam();
  const key = await server.addKey(uuid);
  const team = ['--team', teamId, '--json'];
  const run = async (args: string[], input = '') => {
    const { code, stdout, stderr } = await runOrderbeacon(args, server.env, input);
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
    return JSON.parse(stdout);
  };
  const { id } = await run(['sequence', 'create', ...team, '--name', 'Welcome']);
  await run(['person', 'add', ...team, '--email', 'ann@shop.example']);
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await run(['product', 'import', ...team, '-'], JSON.stringify([product]));

  const env = { PATH: process.env.PATH, SERVER: server.url, API_KEY: key, TEAM: teamId, SEQUENCE: id };
  expect(requests.length).toBeGreaterThan(5);
  for (const { path, code } of requests) {
    if (path === 'server/guides/testing.md')
      await server.reportByKey(key, { teamId, email: 'ann@shop.example', amount: 49.9, orderId: '1001' });
    const { stdout } = await promisify(execFile)('sh', ['-c', code], { env });
    expect([path, code, JSON.parse(stdout)]).toMatchObject([path, code, { success: true }]);
    // A refund of an order that nobody has reported would wait for it, without the figures that the guides promise.
    if (code.includes('/refunds')) expect([path, JSON.parse(stdout).data.order]).not.toContain(null);
  }
});
