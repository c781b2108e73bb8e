import { expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { startServerForTest } from './server.js';

const own = [
  'localhost',
  'localhost:3000',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  '192.168.1.20',
  '10.0.0.1',
  '172.20.0.1',
];
const named = ['shop.example', '172.32.0.1', 'local.example', 'shop.localhost'];

it('an address that only the own network reaches is allowed as a test, with a word, unless --live is given', async () => {
  const { env, addTeam } = await startServerForTest();
  const { teamId } = await addTeam();
  const add = async (...args: string[]) => {
    const { code, stdout } = await runOrderbeacon(['domain', 'add', '--team', teamId, ...args], env);
    expect(code).toBe(0);
    return stdout;
  };
  for (const host of [...own, 'shop.local', '[fd00::1]', '[fe80::1]', '169.254.1.1']) {
    expect(await add(host)).toMatch(/^Allowed \S+\. Its orders are tests, because only your own network/);
    expect(JSON.parse(await add(host, '--json'))).toMatchObject({ isTest: true });
    expect(JSON.parse(await add(host, '--live', '--json'))).toMatchObject({ isTest: false });
  }
  for (const host of named) {
    expect(await add(host)).toBe(`Allowed ${host}.\n`);
    expect(await add(host, '--test')).toBe(`Allowed ${host}. Its orders are tests.\n`);
  }
  const both = await runOrderbeacon(
    ['domain', 'add', '--team', teamId, '--test', '--live', 'localhost'],
    env,
  );
  expect([both.code, both.stderr]).toEqual([2, 'orderbeacon: Give --test or --live, not both.\n']);
});
