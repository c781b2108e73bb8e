import { expect, it, onTestFinished } from 'vitest';
import { command } from '../../src/values/command.js';
import { runOrderbeacon } from '../kit/command.js';
import { createTestDatabase } from '../kit/database.js';
import { startDatabaseProxy } from '../kit/databaseProxy.js';
import { startServerProcess } from '../kit/process.js';

it('a server on an empty database of one’s own prints the command that makes a shop, and `team list` does', async () => {
  const { env, close } = await createTestDatabase();
  onTestFinished(close);
  const server = await startServerProcess(env);
  await expect
    .poll(server.output)
    .toMatch(/This database has no shop yet\. .*\n {2}\S+ team create .*--link\n/);
  const [, line] = / {2}(\S+ team create .*)\n/.exec(server.output())!;
  const list = () => runOrderbeacon(['team', 'list'], env);
  expect((await list()).stdout).toContain(line!);

  const words = line!.slice(command.length + 1).match(/"[^"]*"|\S+/g)!;
  const made = await runOrderbeacon(
    words.map((word) => word.replaceAll('"', '')),
    env,
  );
  expect(made.stdout).toMatch(/\/console\/sign-in#team_/);
  expect((await list()).stdout).toContain('My shop');
});

it.for([
  ['its hint to a first shop', 'listTeams', {}, /listens on/],
  [
    'its demo team',
    'lockDemo',
    { ORDERBEACON_DEMO: 'on' },
    /The demo team could not be looked up or made; the next start tries again: /,
  ],
] as const)(
  'a server that loses its database while it reads %s goes on',
  async ([, statement, more, told]) => {
    const { url, close } = await createTestDatabase();
    onTestFinished(close);
    const proxy = await startDatabaseProxy(url);
    onTestFinished(proxy.close);
    const lost = proxy.resetAt(`/* ${statement} */`);
    const server = await startServerProcess({ DATABASE_URL: proxy.url, ORDERBEACON_DEMO: 'off', ...more });
    await lost;
    await expect.poll(server.output).toMatch(told);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  },
);
