// @module-tag all
// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { runOrderbeacon } from '../kit/command.js';
import { createTestDatabase } from '../kit/database.js';
import { findLockWaits } from '../kit/lockWaits.js';
import { executable, startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const faults = [
  ['an exception that nobody catches', 'throw fault', 'uncaughtException', []],
  ['a promise that is rejected unhandled', 'Promise.reject(fault)', 'unhandledRejection', ['long']],
] as const;
for (const [what, make, name, tags] of faults)
  it(`${what} is logged with its cause, and the server answers what is in flight and ends with 1`, {
    tags: [...tags],
  }, async () => {
    const { url, sql, env, close } = await createTestDatabase();
    onTestFinished(close);
    const file = join(temporaryFolder(), 'fault.mjs');
    writeFileSync(
      file,
      `process.on('SIGUSR2', () => { const fault = new Error('planted', { cause: new Error('its cause') }); ${make}; });`,
    );
    const team = await runOrderbeacon(['team', 'create', '--name', 'Test', '--json'], env);
    const teamId = JSON.parse(team.stdout).id;
    await runOrderbeacon(['domain', 'add', '--team', teamId, 'shop.example'], env);
    // The report may wait for the lock as long as a busy machine needs.
    const patientUrl = new URL(url);
    patientUrl.searchParams.set('lock_timeout', '0');
    const server = await startServerProcess({
      DATABASE_URL: patientUrl.href,
      NODE_OPTIONS: `--import=${file}`,
    });

    let inFlight: ReturnType<typeof sendTo> | undefined;
    await sql.begin(async (tx) => {
      await tx`lock table placed_order in exclusive mode`;
      inFlight = sendTo(new URL('/svc-api/v1/orders', server.url), 'POST', {
        headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
        body: JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1 }),
      });
      await expect
        .poll(async () => (await findLockWaits(sql)).filter(({ query }) => query.includes('Orders */')))
        .toHaveLength(1);
      server.signal('SIGUSR2');
      const isLogged = () => server.output().includes('planted');
      await expect.poll(isLogged).toBe(true);
    });
    expect((await inFlight)!.status).toBe(200);
    const { code } = await server.ended;
    expect(code).toBe(1);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const fatal = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 60);
    expect(fatal.fault).toBe(name);
    expect(fatal.error).toMatch(/planted[\s\S]*caused by Error: its cause/);
  });

it('a log that a full disk does not take ends no server, and keeps none from starting', async () => {
  const { sql, env, close } = await createTestDatabase();
  onTestFinished(close);
  const folder = temporaryFolder();
  const start = (port: string) => {
    const limited = 'ulimit -f 8; exec "$0" "$@" >>log';
    const child = spawn('sh', ['-c', limited, process.execPath, executable, 'serve'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: port, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [complaints, ended] = [text(child.stderr!), once(child, 'exit')];
    /** Stops the server. Resolves with its exit code and the number of its complaints about the log. */
    return async () => {
      child.kill('SIGTERM');
      const [code] = await ended;
      return [code, (await complaints).match(/^orderbeacon: Cannot write the log: EFBIG.*$/gm)?.length];
    };
  };

  const stop = start('0');
  const readUrl = () => /listens on (\S+)/.exec(readFileSync(join(folder, 'log'), 'utf8'))?.[1];
  await expect.poll(readUrl).toBeDefined();
  const url = readUrl()!;
  const created = ['team', 'create', '--name', 'Test', '--domain', 'shop.example', '--json'];
  const teamId = JSON.parse((await runOrderbeacon(created, env)).stdout).id;
  const report = (orderId: string) =>
    sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
      headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
      body: JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId }),
    }).then(
      ({ status }) => status,
      () => 'no answer',
    );
  for (let n = 0; n < 200; n++) expect(await report(`A-${n}`)).toBe(200);
  expect(await stop()).toEqual([0, 1]);

  const stopAgain = start(new URL(url).port);
  await expect.poll(() => report('B')).toBe(200);
  expect(await stopAgain()).toEqual([0, 1]);
  expect(await sql`select count(*)::int as orders from placed_order`).toEqual([{ orders: 201 }]);
});
