import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { exampleOf } from './examples.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const run = (...args: string[]) => runOrderbeacon(args, server.env);

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const from = (host: string) => ({ origin: `https://${host}` });
const order = (n: number) => ({ email: `buyer-${n}@mail.example`, amount: n + 0.5, orderId: `o-${n}` });

describe('orderbeacon refused', () => {
  it('stores the orders of a forgotten domain, by the lines of the guide', async () => {
    const { teamId } = await server.addTeam();
    for (let n = 0; n < 3; n++) await server.report({ teamId, ...order(n) }, from('checkout.shop.example'));
    const lines = exampleOf('server/guides/refused-reports.md', 'refused');
    const outputs = [];
    for (const line of lines.replaceAll('team_…', teamId).split('\n')) {
      const [program, ...args] = line.split(' ');
      expect(program).toBe('node_modules/.bin/orderbeacon');
      const { code, stdout } = await run(...args);
      expect(code).toBe(0);
      outputs.push(stdout);
    }
    expect(outputs[0]).toMatch(
      /domain_not_allowed +checkout\.shop\.example +o-2 +buyer-2@mail\.example +2\.5 USD +1\n/,
    );
    expect(outputs[2]).toContain('3 stored, 0 already known, 0 refused again.');
    expect(await json('order', 'list', '--team', teamId)).toHaveLength(3);
    expect((await run('refused', 'list', '--team', teamId)).stdout).toBe('None.\n');
  });

  it('lists, shows, corrects and discards each report as it was sent', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const bad = `{"teamId":"${teamId}", "email":"ann@mail.example","amount":"49,90","name":"\u202eevil"}`;
    await server.report(bad);
    await server.report(bad);
    await server.report({ teamId, ...order(1) }, from('other.example'));
    await server.reportByKey(key, { teamId, ...order(2), amount: null }, { 'idempotency-key': 'evt' });
    const team = ['--team', teamId];
    const listed = await json('refused', 'list', ...team);
    expect(listed).toMatchObject([
      { reason: 'invalid_request', host: null, reportedBy: 'key', idempotencyKey: 'evt', times: 1 },
      {
        reason: 'domain_not_allowed',
        host: 'other.example',
        reportedBy: 'browser',
        orderId: 'o-1',
        amount: 1.5,
      },
      { reason: 'invalid_request', host: 'shop.example', body: bad, times: 2, amount: null },
    ]);
    for (const { id, receivedAt } of listed) {
      expect(id).toMatch(/^ref_[0-9a-z]{26}$/);
      expect(receivedAt).toMatch(/^\d{4}-.*Z$/);
    }
    expect(await json('refused', 'list', ...team, '--host', 'Other.example')).toEqual([listed[1]]);
    expect(await json('refused', 'list', ...team, '--host', '')).toEqual([listed[0]]);
    const invalid = await json('refused', 'list', ...team, '--reason', 'invalid_request');
    expect(invalid).toEqual([listed[0], listed[2]]);
    expect(await json('refused', 'show', ...team, listed[2].id)).toEqual(listed[2]);
    const shown = await run('refused', 'show', ...team, listed[2].id);
    expect(shown.stdout).toContain('issue: amount must be');
    expect(shown.stdout).toContain('\ufffdevil');
    expect(shown.stdout).not.toContain('\u202e');

    expect(await json('refused', 'replay', ...team, listed[0].id)).toEqual([
      {
        id: listed[0].id,
        orderId: 'o-2',
        outcome: 'refused',
        code: 'invalid_request',
        message: expect.stringContaining('amount'),
        issues: [{ path: 'amount', message: expect.any(String) }],
      },
    ]);
    const correction = [
      '--amount',
      '49.90',
      '--order-id',
      'o-9',
      '--currency',
      'eur',
      '--email',
      'Bob@Mail.example',
    ];
    expect(await json('refused', 'replay', ...team, listed[0].id, ...correction)).toMatchObject([
      { id: listed[0].id, outcome: 'new', orderNumber: expect.stringMatching(/^ORD-/) },
    ]);
    expect(await json('order', 'list', ...team)).toMatchObject([
      {
        orderId: 'o-9',
        amount: 49.9,
        currency: 'EUR',
        email: 'bob@mail.example',
        createdAt: listed[0].receivedAt,
      },
    ]);
    expect(await json('refused', 'discard', ...team, '--host', 'other.example')).toEqual({ discarded: 1 });
    expect(await json('refused', 'discard', ...team, listed[2].id)).toEqual({ discarded: 1 });
    expect(await json('refused', 'list', ...team)).toEqual([]);
  });

  it('says of a report whose key was revoked that another key has to report its order', async () => {
    const { uuid, teamId } = await server.addTeam();
    await server.reportByKey(await server.addKey(uuid), { teamId, ...order(1), amount: 'x' });
    const team = ['--team', teamId];
    await run('key', 'revoke', ...team, (await json('key', 'list', ...team))[0].id);
    const [{ id }] = await json('refused', 'list', ...team);
    const { stdout } = await run('refused', 'replay', ...team, id, '--amount', '5');
    expect(stdout).toContain('The API key has since been revoked. Report this order with a key that is live');
    expect(stdout).not.toContain('key create');
    expect(await json('order', 'list', ...team)).toEqual([]);
  });

  it('says in one line what is wrong, and changes nothing', async () => {
    const { uuid, teamId } = await server.addTeam();
    await server.report({ teamId, ...order(1) }, from('other.example'));
    const id = (await json('refused', 'list', '--team', teamId))[0].id;
    const foreign = await server.addTeam();
    for (const [args, line] of [
      [['discard', '--team', teamId], '--all'],
      [['discard', '--team', teamId, 'ref_1'], 'ref_1'],
      [['replay', '--team', teamId, '--amount', '5'], 'ref_…'],
      [['replay', '--team', teamId, id, '--amount', '5,00'], '5,00'],
      [['replay', '--team', teamId, id, '--amount', '12345678901234567890'], '--amount'],
      [['replay', '--team', foreign.teamId, id], 'no such refused report'],
      [['show', '--team', foreign.teamId, id], 'no refused report'],
      [['list', '--team', teamId, '--host', 'https://x'], '--host'],
      [['list', '--team', teamId, '--reason', "x' or 1=1"], '--reason'],
    ] as const) {
      const { code, stdout, stderr } = await run('refused', ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^orderbeacon: [^\n]+\n$/);
      expect(stderr).toContain(line);
    }
    expect(await json('refused', 'discard', '--team', foreign.teamId, '--all')).toEqual({ discarded: 0 });
    expect(await server.sql`select times from refused_report where team_id = ${uuid}`).toEqual([
      { times: 1 },
    ]);
  });
});
