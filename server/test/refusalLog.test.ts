import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endPools } from '../src/database/pools.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { startTestServer } from './server.js';
import { withoutTimes } from './withoutTimes.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let teamId: string;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  const team = await server.addTeam('shop.example');
  teamId = team.teamId;
  key = await server.addKey(team.uuid);
});
afterAll(() => server.close());

const order = { email: 'ann@buyer.example', amount: 49.9, orderId: 'A-1' };

/** The log line of the answer to a request that was sent with this id. */
function lineOf(requestId: string, { lines: written } = server) {
  const lines = written.map((text) => JSON.parse(text));
  return lines.find((line) => line.requestId === requestId && 'status' in line);
}

let count = 0;

/** Sends a report of a page or, with a key, of a backend; gives its log line. */
async function report(body: unknown, headers: Record<string, string>) {
  const id = `refused-${count++}`;
  await server.report(body, { ...headers, 'x-request-id': id });
  return lineOf(id);
}

describe('the log line of a refused report', () => {
  it('names the host that is not allowed, and the team', async () => {
    const headers = { origin: 'https://Checkout.Shop.example:8443' };
    expect(await report({ ...order, teamId }, headers)).toMatchObject({
      outcome: 'domain_not_allowed',
      host: 'checkout.shop.example',
      team: teamId,
    });
    const referer = { origin: 'null', referer: 'https://other.example/thanks?email=ann@buyer.example' };
    expect(await report({ ...order, teamId }, referer)).toMatchObject({
      host: 'other.example',
      team: teamId,
    });
    expect(await report({ ...order, teamId }, { origin: 'null' })).toMatchObject({
      outcome: 'domain_not_allowed',
      host: null,
    });
  });

  it('names the invalid fields, host and team', async () => {
    const bad = { teamId, email: 'x', amount: '49,90 EUR' };
    const line = await report(bad, { origin: 'https://shop.example' });
    expect(line).toMatchObject({ outcome: 'invalid_request', host: 'shop.example', team: teamId });
    expect(line.fields).toEqual(['email', 'amount']);
    expect(await report([], { origin: 'https://shop.example' })).toMatchObject({ fields: ['body'] });
  });

  it('names fields and team of a report with a key, which has no host', async () => {
    const line = await report(
      { teamId, amount: -1 },
      { authorization: `Bearer ${key}`, origin: 'https://x.example' },
    );
    expect(line).toMatchObject({ outcome: 'invalid_request', team: teamId, fields: ['email', 'amount'] });
    expect(line).not.toHaveProperty('host');
  });

  it('names the fields of an enrollment', async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': 'enroll',
    };
    await server.send('POST', '/svc-api/v1/sequences/enroll', { headers, body: '{"email":1}' });
    expect(lineOf('enroll')).toMatchObject({ team: teamId, fields: ['email', 'sequenceId'] });
  });

  it('names the fields of a refund', async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': 'refund',
    };
    await server.send('POST', '/svc-api/v1/orders/refunds', { headers, body: '{"orderId":"A","reason":7}' });
    expect(lineOf('refund')).toMatchObject({ team: teamId, fields: ['refundId', 'reason'] });
  });

  it('names no team that does not exist, whatever was sent as one', async () => {
    for (const claimed of ['eve@nobody.example', encodeId('team', newUuid()), 7, null, { a: 1 }]) {
      const line = await report({ ...order, teamId: claimed }, { origin: 'https://shop.example' });
      expect(line.status).toBeGreaterThanOrEqual(400);
      expect(line).not.toHaveProperty('team');
    }
  });

  it('never has a value, not even where a caller’s own word is in the path of a field', async () => {
    const own = { 'eve@own.example': '\u0000' };
    await report(
      { ...order, teamId, items: [own, { price: { deep: own } }] },
      { origin: 'https://shop.example' },
    );
    await report({ ...order, teamId, email: 'secret words' }, { origin: 'https://user:pw@shop.example' });
    await report(
      { ...order, teamId, orderId: 'A'.repeat(200) },
      { origin: 'https://shop.example/path?q=word' },
    );
    const all = withoutTimes(server.lines);
    for (const value of ['@', 'secret', 'AAAA', '49.9', 'q=word', 'thanks', key])
      expect(all).not.toContain(value);
  });
});

it('the log line of a stored order says its mode and who reported it', async () => {
  const origin = 'https://shop.example';
  expect(await report({ ...order, teamId, orderId: 'logged' }, { origin })).toMatchObject({
    outcome: 'new',
    mode: 'live',
    reportedBy: 'browser',
    team: teamId,
  });
  expect(
    await report({ ...order, teamId, orderId: 'logged' }, { authorization: `Bearer ${key}` }),
  ).toMatchObject({
    outcome: 'known',
    reportedBy: 'key',
  });
});

it('a refused report that cannot be kept, because the database is away, is answered with 503', async () => {
  const own = await startTestServer();
  const team = await own.addTeam('shop.example');
  await endPools(own.pools);
  const headers = { origin: 'https://shop.example', 'x-request-id': 'away' };
  const answer = await own.report({ ...order, teamId: team.teamId, email: 'x' }, headers);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  // Background work without a database writes lines too.
  const line = lineOf('away', own);
  expect(line).toMatchObject({ outcome: 'unavailable' });
  expect(line).not.toHaveProperty('team');
  await own.close();
});
