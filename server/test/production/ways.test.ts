// @module-tag long
import { expect, it } from 'vitest';
import { signers } from '../features/sources/kit/sources.js';
import { wooOrder } from '../features/sources/kit/wooCommerceSamples.js';
import { runProcess } from '../kit/process.js';
import { isMissing, webServers } from '../kit/webServers.js';
import { openWay } from './openWay.js';

/** Requests of one address that a server answers before 429. */
const limit = 3;
const servers = 2;
const origin = { origin: 'https://shop.example' };

const ways = webServers.flatMap((name) => [
  { name, isBehindShop: false, title: `${name} before two servers` },
  { name, isBehindShop: true, title: `the shop’s ${name} before ${name} before two servers` },
]);

for (const { name, isBehindShop, title } of ways) {
  it.skipIf(isMissing(name))(
    `${title}, by the guides: orders, webhooks, the console and refusals arrive, and buyers count by their own address`,
    async () => {
      const env = { ORDERBEACON_RATE_LIMIT: String(limit) };
      const {
        url,
        pageBase,
        database,
        env: all,
        send,
        examine,
      } = await openWay(name, { servers, isBehindShop, env });
      const run = async (...args: string[]) =>
        JSON.parse((await runProcess([...args, '--json'], all)).stdout);
      const { id: teamId } = await run('team', 'create', '--name', 'Shop', '--domain', 'shop.example');
      const { key } = await run('key', 'create', '--team', teamId);
      let orders = 0;
      const body = (more = {}) =>
        JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId: `A-${++orders}`, ...more });
      const report = (from: string, headers = {}) =>
        send(
          '/svc-api/v1/orders',
          {
            method: 'POST',
            from,
            body: body(),
            headers: { ...origin, 'content-type': 'text/plain', ...headers },
          },
          pageBase,
        );
      const byKey = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sendByKey = (sent: string, base = url) =>
        send('/svc-api/v1/orders', { method: 'POST', headers: byKey, body: sent }, base);

      // Reports, and the script that sends them.
      expect((await send('/sdk/track.js', {}, pageBase)).status).toBe(200);
      expect(await report('127.0.0.21')).toMatchObject({
        status: 200,
        text: expect.stringContaining('"isNew":true'),
      });
      expect((await sendByKey(body())).status).toBe(200);
      const secret = (await run('source', 'add', '--team', teamId, 'woocommerce')) as {
        url: string;
        secret: string;
      };
      const event = JSON.stringify(wooOrder(71));
      const { status } = await send(new URL(secret.url).pathname, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...signers.woocommerce(event, secret.secret, 'order.updated'),
        },
        body: event,
      });
      expect(status).toBe(200);
      // A refusal arrives even if the body is larger than the system buffers.
      for (const base of [url, pageBase]) {
        for (const mebibytes of [3, 16]) {
          const { status, text } = await sendByKey(body({ name: 'x'.repeat(mebibytes * 2 ** 20) }), base);
          expect([status, JSON.parse(text).error.code]).toEqual([413, 'payload_too_large']);
        }
      }

      // The console, from its link to a download.
      const link = new URL((await run('console', '--team', teamId)).url);
      expect(link.origin).toBe(url);
      const opened = await send('/console/sign-in', {
        method: 'POST',
        from: '127.0.0.22',
        headers: {
          origin: url,
          cookie: '__Host-orderbeacon_probe=1',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: String(new URLSearchParams({ token: link.hash.slice(1) })),
      });
      expect([opened.status, opened.headers.location]).toEqual([
        303,
        expect.stringContaining(`/console/${teamId}`),
      ]);
      const cookie = (opened.headers['set-cookie'] as string[]).map((each) => each.split(';')[0]).join('; ');
      const console = (path: string) => send(`/console/${teamId}${path}`, { headers: { cookie } });
      expect((await console('/orders')).text).toContain('A-1');
      expect((await console('/live')).status).toBe(200);
      const csv = await console('/orders.csv');
      expect([csv.status, csv.text.trim().split('\n').length]).toEqual([200, 1 + 3]);
      expect((await send('/metrics')).status).toBe(404);

      // A buyer's own address counts, on each server separately. Addresses that a client writes into the header are ignored.
      const spend = async (from: string, forged: (at: number) => object) => {
        const statuses = [];
        for (let at = 0; at < 5 * limit; at++) statuses.push((await report(from, forged(at))).status);
        return statuses.filter((each) => each === 200).length;
      };
      const passed = await spend('127.0.0.9', () => ({}));
      expect(passed).toBeGreaterThanOrEqual(limit);
      expect(passed).toBeLessThanOrEqual(servers * limit + 1);
      expect(await spend('127.0.0.9', (at) => ({ 'x-forwarded-for': `192.0.2.${at}` }))).toBeLessThanOrEqual(
        1,
      );
      expect((await report('127.0.0.10')).status).toBe(200);
      expect(await database.sql`select count(*)::int from placed_order`).toEqual([{ count: 3 + passed + 1 }]);

      const tag = `<script async src="/shop-orders/sdk/track.js" data-team-id="${teamId}" data-endpoint="/shop-orders"></script>`;
      const { red, of } = await examine(isBehindShop ? tag : undefined);
      // The shop's page has only the tag, and its host is not allowed.
      expect(red.filter(({ check }) => !['order', 'host'].includes(check))).toEqual([]);
      for (const check of ['TLS', 'proxies', ...(isBehindShop ? ['endpoint'] : [])])
        expect(of(check)).toMatchObject({ ok: true });
    },
  );
}
