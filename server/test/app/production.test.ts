import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { runOrderbeacon } from '../kit/command.js';
import { exampleOf } from '../kit/examples.js';
import { startServerForTest } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const guide = 'server/guides/production.md';

/** The lines of an example that call the command, each as its arguments. */
const callsOf = (name: string) =>
  exampleOf(guide, name)
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line.startsWith('node_modules/.bin/orderbeacon '))
    .map((line) =>
      line
        .match(/"[^"]*"|\S+/g)!
        .slice(1)
        .map((word) => word.replaceAll('"', '')),
    );

it('the settings of “Production in ten steps” start a server behind one proxy', () => {
  const file = join(temporaryFolder(), 'orderbeacon.env');
  writeFileSync(file, exampleOf(guide, 'production-settings'));
  expect(readConfig({ ORDERBEACON_ENV_FILE: file })).toMatchObject({
    databaseUrl: 'postgres://orderbeacon:…@127.0.0.1:5432/orderbeacon',
    publicUrl: 'https://orders.shop.example',
    trustedProxies: 1,
    metricsToken: expect.stringMatching(/^\w{48}$/),
  });
});

it('the commands of “Production in ten steps” lead from an empty database to an order in the console', async () => {
  const server = await startServerForTest();
  const env = { ...server.env, PUBLIC_URL: server.url };
  let teamId = 'team_…';
  const run = async (args: string[]) => {
    const { code, stdout, stderr } = await runOrderbeacon(
      args.map((word) => word.replace('team_…', teamId)),
      env,
    );
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
    return stdout;
  };

  expect(callsOf('production-doctor')).toEqual([['doctor']]);
  await run(['doctor']);
  const [create, ...others] = callsOf('production-shop');
  const made = await run(create!);
  teamId = /team_\w{26}/.exec(made)![0];
  expect(made).toContain(`data-team-id="${teamId}"`);
  expect(made).toContain('/console/sign-in#');
  const printed: string[] = [];
  for (const args of others) printed.push(await run(args));

  const key = /ob_live_\w+/.exec(printed.join())![0];
  const order = { teamId, email: 'ann@buyer.example', amount: 49.9, orderId: '1001' };
  const byPage = await server.report(order, { origin: 'https://shop.example' });
  const byKey = await server.report(order, { authorization: `Bearer ${key}` });
  expect([byPage.body.data.isNew, byKey.body.data.isNew]).toEqual([true, false]);

  const [consoleCall, doctorCall] = callsOf('production-first-order');
  expect(await run(consoleCall!)).toMatch(/\/console\/sign-in#/);
  expect(doctorCall).toEqual(['doctor', '--team', 'team_…', 'https://shop.example/thanks']);
});
