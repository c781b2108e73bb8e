import { expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

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

it('an address that only the own network reaches is allowed as a test, with a word, unless --live is given', async () => {
  const { env, addTeam } = await startServerForTest();
  const { teamId } = await addTeam();
  const add = async (...args: string[]) => {
    const { code, stdout } = await runOrderbeacon(['domain', 'add', '--team', teamId, ...args], env);
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
  const both = await runOrderbeacon(
    ['domain', 'add', '--team', teamId, '--test', '--live', 'localhost'],
    env,
  );
  expect([both.code, both.stderr]).toEqual([2, 'orderbeacon: Give --test or --live, not both.\n']);
});

it('the console allows such an address as a test, and its form says so', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const console = await signIn(server, teamId);
  const formToken = await console.formToken();
  for (const domain of [...own, ...named]) await console.post('/console/domains', { domain, formToken });
  const { stdout } = await runOrderbeacon(['domain', 'list', '--team', teamId, '--json'], server.env);
  const listed: { domain: string; isTest: boolean }[] = JSON.parse(stdout);
  expect(
    listed
      .filter(({ isTest }) => !isTest)
      .map(({ domain }) => domain)
      .sort(),
  ).toEqual(named.toSorted());
  expect((await console.get('/console/setup')).text).toMatch(
    /always are for localhost and private addresses/,
  );
});

it('the buttons that allow a refused host let those of the own network be tests', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const order = { teamId, email: 'ann@buyer.example', amount: 49.9 };
  const hosts = ['localhost', '192.168.1.20', 'shop.local', 'shop.example'];
  for (const host of hosts) await server.report({ ...order, orderId: host }, { origin: `http://${host}` });
  const console = await signIn(server, teamId);
  for (const path of ['/console/setup', '/console/refused']) {
    const { text } = await console.get(path);
    const forms = [...text.matchAll(/<form[^>]*refused\/allow".*?<\/form>/gs)].map(([form]) => form);
    const tests = forms.filter((form) => /name="test"[^>]*checked/.test(form));
    expect([path, tests.map((form) => /name="host" value="([^"]+)"/.exec(form)![1]).sort()]).toEqual([
      path,
      ['192.168.1.20', 'localhost', 'shop.local'],
    ]);
    expect(forms).toHaveLength(hosts.length);
  }
});
