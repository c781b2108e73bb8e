import { expect } from 'vitest';
import { documentOf, runOrderbeacon } from '../../kit/command.js';
import { exampleOf } from '../../kit/examples.js';
import { openShop, type Shop, test } from '../../kit/shop.js';

const run = (shop: Shop, verb: string, ...args: string[]) => shop.command('refused', verb, ...args);

const json = async (shop: Shop, ...args: string[]) => documentOf(await shop.command(...args, '--json'));

const from = (host: string) => ({ origin: `https://${host}` });
const order = (n: number) => ({ email: `buyer-${n}@mail.example`, amount: n + 0.5, orderId: `o-${n}` });

test('stores the orders of a forgotten domain, by the lines of the guide', async ({ server, shop }) => {
  for (let n = 0; n < 3; n++) await shop.report(order(n), from('checkout.shop.example'));
  const lines = exampleOf('server/guides/refused-reports.md', 'refused').replaceAll('team_…', shop.teamId);
  const outputs = [];
  for (const line of lines.split('\n')) {
    const [program, ...args] = line.split(' ');
    expect(program).toBe('node_modules/.bin/orderbeacon');
    const { code, stdout } = await runOrderbeacon(args, server.env);
    expect(code).toBe(0);
    outputs.push(stdout);
  }
  expect(outputs[0]).toMatch(
    /domain_not_allowed +checkout\.shop\.example +o-2 +buyer-2@mail\.example +2\.5 USD +1 +checkout\.shop\.example is not among your domains\n/,
  );
  expect(outputs[2]).toContain('3 stored, 0 already known, 0 refused again.');
  expect(await shop.stored()).toHaveLength(3);
  expect((await run(shop, 'list')).stdout).toBe('None.\n');
});

test('lists each report as it was sent, and says why one is refused again', async ({ shop }) => {
  const bad = `{"teamId":"${shop.teamId}", "email":"ann@mail.example","amount":"49,90","name":"\u202eevil"}`;
  for (const _ of [1, 2]) await shop.report(bad);
  await shop.report(order(1), from('other.example'));
  await shop.reportByKey({ ...order(2), amount: null }, { idempotencyKey: 'evt' });
  const list = (...args: string[]) => json(shop, 'refused', 'list', ...args);
  const listed = await list();
  const byPage = { reason: 'domain_not_allowed', host: 'other.example', reportedBy: 'browser' };
  const byKey = { reason: 'invalid_request', host: null, reportedBy: 'key' };
  expect(listed).toMatchObject([
    { ...byKey, idempotencyKey: 'evt', times: 1 },
    { ...byPage, orderId: 'o-1', amount: 1.5 },
    { reason: 'invalid_request', host: shop.domain, body: bad, times: 2, amount: 49.9 },
  ]);
  for (const { id, receivedAt } of listed) {
    expect(id).toMatch(/^ref_[0-9a-z]{26}$/);
    expect(receivedAt).toMatch(/^\d{4}-.*Z$/);
  }
  const [ofKey, ofPage, twice] = listed;
  expect(await list('--host', 'Other.example')).toEqual([ofPage]);
  expect(await list('--host', '')).toEqual([ofKey]);
  expect(await list('--reason', 'invalid_request')).toEqual([ofKey, twice]);
  expect(await json(shop, 'refused', 'replay', ofKey.id)).toEqual([
    {
      id: ofKey.id,
      orderId: 'o-2',
      outcome: 'refused',
      code: 'invalid_request',
      message: expect.stringContaining('amount'),
      issues: [{ path: 'amount', message: expect.any(String) }],
    },
  ]);
  const { stdout } = await run(shop, 'list');
  expect(stdout).toContain(`${shop.domain} writes amounts with a comma: “49,90”`);
  expect(stdout).not.toContain('\u202e');
});

test('says in one line what is wrong, and changes nothing', async ({ server, shop }) => {
  await shop.report(order(1), from('other.example'));
  const [{ id }] = await json(shop, 'refused', 'list');
  const other = await openShop(server);
  const wrong: [by: Shop, args: [string, ...string[]], line: string][] = [
    [shop, ['replay', 'ref_1'], 'ref_1'],
    [shop, ['list', '--host', 'https://x'], '--host'],
    [shop, ['list', '--reason', "x' or 1=1"], '--reason'],
    [shop, ['list', '--reason', 'domain_not_alowed'], 'must be one of domain_not_allowed, invalid_request, '],
    [shop, ['replay', '--reason', 'other'], '--reason'],
    [other, ['replay', id], 'no such refused report'],
  ];
  for (const [by, args, line] of wrong) {
    const { code, stdout, stderr } = await run(by, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^orderbeacon: [^\n]+\n$/);
    expect(stderr).toContain(line);
  }
  expect(await shop.refused()).toMatchObject([{ times: 1 }]);
});
