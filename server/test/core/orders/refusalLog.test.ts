import { describe, expect, it } from 'vitest';
import { endPools } from '../../../src/database/pools.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { withoutTimes } from './withoutTimes.js';

let count = 0;

/** Sends a request with a new request id. Resolves with the log line of its answer. */
async function lineOf({ server, teamId }: Shop, send: (headers: { 'x-request-id': string }) => unknown) {
  const id = `${teamId}-${count++}`;
  await send({ 'x-request-id': id });
  const lines = server.lines.map((text) => JSON.parse(text));
  return lines.find((line) => line.requestId === id && 'status' in line);
}

const linePage = (shop: Shop, report: object, headers = {}) =>
  lineOf(shop, (ids) => shop.report({ ...report }, { ...headers, ...ids }));
const lineKey = (shop: Shop, report: object, more = {}) =>
  lineOf(shop, (ids) => shop.reportByKey({ ...report }, { headers: { ...more, ...ids } }));

describe('the log line of a refused report', () => {
  test('names the host that is not allowed, and the team', async ({ shop }) => {
    const team = shop.teamId;
    const origin = 'https://Checkout.Shop.example:8443';
    const outcome = 'domain_not_allowed';
    expect(await linePage(shop, {}, { origin })).toMatchObject({
      outcome,
      host: 'checkout.shop.example',
      team,
    });
    const referer = { origin: 'null', referer: 'https://other.example/thanks?email=ann@buyer.example' };
    expect(await linePage(shop, {}, referer)).toMatchObject({ host: 'other.example', team });
    expect(await linePage(shop, {}, { origin: 'null' })).toMatchObject({ outcome, host: null });
  });

  test('names the invalid fields, host and team', async ({ shop }) => {
    const line = await linePage(shop, { email: 'x', amount: '49,90 EUR' });
    const known = { outcome: 'invalid_request', host: shop.domain, team: shop.teamId };
    expect(line).toMatchObject({ ...known, fields: ['email', 'amount'] });
    expect(await lineOf(shop, (ids) => shop.report('[]', ids))).toMatchObject({ fields: ['body'] });
  });

  test('names fields and team of what has a key, which has no host', async ({ shop }) => {
    const team = shop.teamId;
    const line = await lineKey(shop, { email: undefined, amount: -1 }, { origin: 'https://x.example' });
    expect(line).toMatchObject({ outcome: 'invalid_request', team, fields: ['email', 'amount'] });
    expect(line).not.toHaveProperty('host');
    const enrollment = await lineOf(shop, (headers) => shop.enroll({ email: 1 }, { headers }));
    expect(enrollment).toMatchObject({ team, fields: ['email', 'sequenceId'] });
    const refund = await lineOf(shop, (headers) => shop.refund({ orderId: 'A', reason: 7 }, { headers }));
    expect(refund).toMatchObject({ team, fields: ['refundId', 'reason'] });
  });

  test('names no team that does not exist, whatever was sent as one', async ({ shop }) => {
    for (const teamId of ['eve@nobody.example', encodeId('team', newUuid()), 7, null, { a: 1 }]) {
      const line = await linePage(shop, { teamId });
      expect(line.status).toBeGreaterThanOrEqual(400);
      expect(line).not.toHaveProperty('team');
    }
  });

  test('never has a value, not even where a caller’s own word is in the path of a field', async ({
    shop,
  }) => {
    const own = { 'eve@own.example': '\u0000' };
    const before = shop.server.lines.length;
    await linePage(shop, { items: [own, { price: { deep: own } }] });
    await linePage(shop, { email: 'secret words' }, { origin: 'https://user:pw@shop.example' });
    await linePage(shop, { orderId: 'A'.repeat(200) }, { origin: `${shop.origin}/path?q=word` });
    await linePage(shop, {}, { origin: 'null', referer: 'https://other.example/thanks?q=word' });
    await lineKey(shop, { amount: '49.9' });
    const all = withoutTimes(shop.server.lines.slice(before));
    for (const value of ['@', 'secret', 'AAAA', '49.9', 'q=word', 'thanks', await shop.liveKey()])
      expect(all).not.toContain(value);
  });
});

test('the log line of a stored order says its mode and who reported it', async ({ shop }) => {
  const line = { outcome: 'new', mode: 'live', reportedBy: 'browser', team: shop.teamId };
  expect(await linePage(shop, { orderId: 'logged' })).toMatchObject(line);
  expect(await lineKey(shop, { orderId: 'logged' })).toMatchObject({ outcome: 'known', reportedBy: 'key' });
});

it('a refused report that cannot be kept, because the database is away, is answered with 503', async () => {
  const shop = await openShop(await startServerForTest());
  await endPools(shop.server.pools);
  const line = await linePage(shop, { email: 'x' });
  // Background work without a database writes lines, too.
  expect(line).toMatchObject({ outcome: 'unavailable', status: 503 });
  expect(line).not.toHaveProperty('team');
});
