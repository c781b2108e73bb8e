import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTestHook } from '../features/webhooks/kit/hooks.js';
import { readDocument } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { type Answer, sendTo, startServerForTest, startTestServer, type TestServer } from '../kit/server.js';
import { openShop } from '../kit/shop.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const token = 'a-token-of-more-than-16';
const asPrometheus = { headers: { authorization: `Bearer ${token}` } };
const order = { email: 'ann@buyer.example', amount: 1, orderId: 'A-1' };

/** A server without a proxy. Through one, metrics cannot be read. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Reads the value of one series; undefined if it is missing. */
function readSeries({ text }: Answer, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('the metrics', () => {
  it('count requests by route and status, orders, refusals, batches, the queue and connections', async () => {
    const server = await startServerForTest();
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    await server.report({ ...order, teamId });
    await server.report({ ...order, teamId });
    await server.reportByKey(key, { ...order, teamId, amount: 2 });
    await server.report({ ...order, teamId, email: 'no email' });
    await server.report({ ...order, teamId }, {});
    await server.send('GET', '/nowhere/ann@buyer.example');

    const answer = await server.send('GET', '/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const orders = '/svc-api/v1/orders';
    const series = [
      [`orderbeacon_request_seconds_count{route="${orders}",status="200"}`, 3],
      [`orderbeacon_request_seconds_bucket{le="+Inf",route="${orders}",status="400"}`, 1],
      [`orderbeacon_request_seconds_count{route="/*",status="404"}`, 1],
      ['orderbeacon_orders_total{outcome="new",mode="live",reported_by="browser"}', 1],
      ['orderbeacon_orders_total{outcome="known",mode="live",reported_by="browser"}', 1],
      ['orderbeacon_orders_total{outcome="known",mode="live",reported_by="key"}', 1],
      [`orderbeacon_build_info{version="${version}",node="${process.version}"}`, 1],
      ['orderbeacon_order_merges_total', 1],
      ['orderbeacon_refusals_total{code="invalid_request"}', 1],
      ['orderbeacon_refusals_total{code="origin_required"}', 1],
      ['orderbeacon_refusals_total{code="not_found"}', 1],
      ['orderbeacon_batch_rows_sum', 3],
      ['orderbeacon_batch_wait_seconds_count', 3],
      ['orderbeacon_queue_rows', 0],
      ['orderbeacon_queue_statements', 0],
      ['orderbeacon_database_up', 1],
    ] as const;
    expect(series.map(([name]) => [name, readSeries(answer, name)])).toEqual(series);
    expect(readSeries(answer, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(answer.text).not.toContain('ann@buyer.example');
    // Only the connection that counts is active, unless background work has a statement at the moment.
    const active = 'orderbeacon_database_connections{state="active"}';
    await expect.poll(async () => readSeries(await server.send('GET', '/metrics'), active)).toBe(1);
  });

  it('tell test orders from live ones, and when the last of each came by whom', async () => {
    const server = await startServerForTest();
    const shop = await openShop(server);
    const beforeSeconds = Math.floor(Date.now() / 1000);
    await shop.report();
    await shop.reportByKey({}, { key: await shop.testKey() });
    const answer = await server.send('GET', '/metrics');
    const last = 'orderbeacon_last_order_timestamp_seconds';
    for (const labels of ['mode="live",reported_by="browser"', 'mode="test",reported_by="key"']) {
      expect(readSeries(answer, `orderbeacon_orders_total{outcome="new",${labels}}`)).toBe(1);
      expect(readSeries(answer, `${last}{${labels}}`)).toBeGreaterThanOrEqual(beforeSeconds);
      expect(readSeries(answer, `${last}{${labels}}`)).toBeLessThanOrEqual(Date.now() / 1000 + 1);
    }
    expect(answer.text.match(new RegExp(`^${last}\\{`, 'gm'))).toHaveLength(2);
  });

  it('hold no host, team, id or email that somebody sent', async () => {
    const shop = await openShop(server);
    const { body } = await shop.report();
    await shop.report({}, { origin: 'https://stranger.example' });
    await shop.report({ teamId: 'eve@nobody.example' });
    const { text } = await server.send('GET', '/metrics');
    expect(text).toMatch(/^orderbeacon_refusals_total\{code="domain_not_allowed"\} [1-9]/m);
    for (const word of ['.example', shop.teamId, body.data.id, '@']) expect(text).not.toContain(word);
  });

  it('are not for a page whose name leads to this machine', async () => {
    const { port } = new URL(server.url);
    const status = async (host: string) =>
      (await server.send('GET', '/metrics', { headers: { host } })).status;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'localhost', '0.0.0.0'])
      expect([host, await status(host)]).toEqual([host, 200]);
    for (const host of [`shop.example:${port}`, 'localhost.shop.example', '127.0.0.1.shop.example'])
      expect([host, await status(host)]).toEqual([host, 404]);
  });

  it('count the webhooks that are off, by failures or by a person, and the deliveries that wait', async () => {
    const server = await startServerForTest();
    const [one, other] = [await server.addTeam(), await server.addTeam()];
    const read = async () => {
      const answer = await server.send('GET', '/metrics');
      return ['hooks_disabled{by="failures"}', 'hooks_disabled{by="person"}', 'hook_deliveries_pending'].map(
        (name) => readSeries(answer, `orderbeacon_${name}`),
      );
    };
    expect(await read()).toEqual([0, 0, 0]);
    await server.sql`insert into hook (team_id, id, url, events, is_test, format, secret, allows_private, disabled_at, disabled_reason)
      select team_id, gen_random_uuid(), 'https://x.invalid/', '{}', false, 'standard', '', false, off, reason
      from unnest(array[${one.uuid}, ${other.uuid}]::uuid[]) as team_id,
        (values (null::timestamptz, null), (now(), null), (now(), '410')) as hook (off, reason)`;
    await server.sql`insert into hook_delivery (team_id, id, hook_id, type, next_at)
      select team_id, gen_random_uuid(), id, 'order.created', next_at from hook, (values (now() + interval '1 day'), (null)) as due (next_at)`;
    expect(await read()).toEqual([2, 2, 2]);
  });

  it('count the teams whose orders have stopped, while a webhook is told of it', async () => {
    const server = await startServerForTest();
    const [one, other] = [await server.addTeam(), await server.addTeam()];
    const read = async () => readSeries(await server.send('GET', '/metrics'), 'orderbeacon_silent_teams');
    // The server's own checks read these rows, too.
    const stopOrders = ({ uuid }: { uuid: string }) => server.sql`
      insert into hook_watch (team_id, checked_at, stopped_since) values (${uuid}, now(), now())
      on conflict (team_id) do update set stopped_since = excluded.stopped_since`;
    await stopOrders(one);
    expect(await read()).toBe(0);
    await addTestHook(server.sql, other.uuid, { events: ['orders.stopped'] });
    expect(await read()).toBe(0);
    await stopOrders(other);
    expect(await read()).toBe(1);
    await server.sql`update hook_watch set stopped_since = null`;
    expect(await read()).toBe(0);
  });

  it('have the names that the guides give', async () => {
    const guides = ['watching', 'faults', 'limits', 'refused-places', 'database-settings'].map((name) =>
      readDocument(`server/guides/${name}.md`),
    );
    const names = [...guides.join().matchAll(/`(orderbeacon_\w+)`/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(5);
    const { text } = await server.send('GET', '/metrics');
    expect(names.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([]);
  });

  it('say that the database is away instead of failing', async () => {
    const server = await startServerForTest();
    await server.pools.watch.end({ timeout: 0 });
    const answer = await server.send('GET', '/metrics');
    expect(answer.status).toBe(200);
    expect(readSeries(answer, 'orderbeacon_database_up')).toBe(0);
  });
});

describe('who reads the metrics', () => {
  it('without a token is on this machine and came through no proxy', async () => {
    expect((await server.send('GET', '/metrics')).status).toBe(200);
    for (const name of ['x-forwarded-for', 'forwarded']) {
      const { status, body } = await server.send('GET', '/metrics', { headers: { [name]: '127.0.0.1' } });
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it.for([
    ['PUBLIC_URL', 'https://orders.shop.example'],
    ['ORDERBEACON_TRUST_PROXY', '1'],
  ] as const)('is nobody without a token where %s speaks of a proxy', async ([name, value]) => {
    const port = await freePort();
    await startServerForTest({ env: { PORT: `${port}`, [name]: value } });
    expect((await sendTo(new URL(`http://127.0.0.1:${port}/metrics`), 'GET')).status).toBe(404);
  });

  it('with a token is whoever brings it, by way of any proxy', async () => {
    const server = await startServerForTest({
      env: {
        ORDERBEACON_METRICS_TOKEN: token,
        ORDERBEACON_TRUST_PROXY: '1',
      },
    });
    const through = { ...asPrometheus.headers, 'x-forwarded-for': '9.9.9.9' };
    expect((await server.send('GET', '/metrics', { headers: through })).status).toBe(200);
    for (const authorization of ['', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token]) {
      const { status, headers, body } = await server.send('GET', '/metrics', { headers: { authorization } });
      expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await server.send('GET', '/metrics')).status).toBe(401);
  });
});
