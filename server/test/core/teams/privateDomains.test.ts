import { expect } from 'vitest';
import { test } from '../../kit/shop.js';

const own = [
  'localhost',
  'localhost:3000',
  'shop.localhost',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  '192.168.1.20',
  '10.0.0.1',
  '172.20.0.1',
];
const named = ['shop.example', '172.32.0.1', 'local.example'];

test('an address that only the own network reaches is allowed as a test, with a word, unless --live is given', async ({
  shop,
}) => {
  const add = async (...args: string[]) => {
    const { code, stdout } = await shop.command('domain', 'add', ...args);
    expect(code).toBe(0);
    return stdout;
  };
  for (const host of [...own, '*.localhost', 'shop.local', '[fd00::1]', '[fe80::1]', '169.254.1.1']) {
    expect(await add(host)).toMatch(/^Allowed \S+\. Its orders are tests, because only your own network/);
    expect(JSON.parse(await add(host, '--json'))).toMatchObject({ isTest: true });
    expect(JSON.parse(await add(host, '--live', '--json'))).toMatchObject({ isTest: false });
  }
  for (const host of named) {
    expect(await add(host)).toBe(`Allowed ${host}.\n`);
    expect(await add(host, '--test')).toBe(`Allowed ${host}. Its orders are tests.\n`);
  }
  const both = await shop.command('domain', 'add', '--test', '--live', 'localhost');
  expect([both.code, both.stderr]).toEqual([2, 'orderbeacon: Give --test or --live, not both.\n']);
});

test('the console allows such an address as a test, and its form says so', async ({ shop }) => {
  const { submit, read } = await shop.console();
  for (const domain of [...own, ...named]) await submit('/console/setup/domains', { domain });
  const { stdout } = await shop.command('domain', 'list', '--json');
  const live = JSON.parse(stdout).filter(({ isTest }: { isTest: boolean }) => !isTest);
  expect(live.map(({ domain }: { domain: string }) => domain).sort()).toEqual([shop.domain, ...named].sort());
  expect(await read('/console/setup/domains')).toContain(
    'Orders of localhost and private addresses are tests.',
  );
});

test('the buttons that allow a refused host let those of the own network be tests', async ({ shop }) => {
  const hosts = ['localhost', '192.168.1.20', 'shop.local', 'other.example'];
  for (const host of hosts) await shop.report({}, { origin: `http://${host}` });
  const { get } = await shop.console();
  const formsOf = async (mode: string) => {
    const { text } = await get(`/console/refused?mode=${mode}`);
    return [...text.matchAll(/<form[^>]*refused\/allow["?].*?<\/form>/gs)].map(([form]) => ({
      host: /name="host" value="([^"]+)"/.exec(form)![1]!,
      isTest: /name="test"[^>]*checked/.test(form),
    }));
  };
  expect(await formsOf('live')).toEqual([{ host: 'other.example', isTest: false }]);
  const tests = await formsOf('test');
  expect(tests.map(({ host }) => host).sort()).toEqual(['192.168.1.20', 'localhost', 'shop.local']);
  expect(tests.every(({ isTest }) => isTest)).toBe(true);
});
