// @module-tag all
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { uploadBytes } from '../../src/features/compare/console/uploads.js';
import { makeCertificate } from '../kit/certificate.js';
import { signIn } from '../kit/console.js';
import { freePort } from '../kit/freePort.js';
import { runProcess } from '../kit/process.js';
import { startServerForTest } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { guideProxy, isMissing, startWebServer, webServers } from '../kit/webServers.js';

for (const name of webServers) {
  it.skipIf(isMissing(name))(
    `the guide’s ${name} leads pages to the server, and counts each buyer by the own address`,
    async () => {
      const folder = temporaryFolder();
      const [key, ca] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
      const certificate = await makeCertificate();
      writeFileSync(key, certificate.key);
      writeFileSync(ca, certificate.cert);
      const port = await freePort();
      const url = `https://localhost:${port}`;
      const settings = {
        PUBLIC_URL: url,
        ORDERBEACON_TRUST_PROXY: '1',
        ORDERBEACON_RATE_LIMIT: '1',
      };
      const server = await startServerForTest({ env: settings });
      const targets = [new URL(server.bindUrl).host];
      await startWebServer(name, guideProxy[name]({ folder, port, targets }), [port]);

      const send = (path: string, headers: Record<string, string> = {}, body?: string) =>
        new Promise<{ status: number; text: string }>((resolve, reject) => {
          const options = { method: body ? 'POST' : 'GET', headers, ca: readFileSync(ca) };
          const sent = request(new URL(path, url), options, async (response) => {
            let text = '';
            for await (const piece of response) text += piece;
            resolve({ status: response.statusCode!, text });
          });
          sent.once('error', reject);
          sent.end(body);
        });
      const { uuid, teamId } = await server.addTeam('shop.example');
      const report = (orderId: string, headers = {}, more = {}) =>
        send(
          '/svc-api/v1/orders',
          { origin: 'https://shop.example', 'content-type': 'text/plain', ...headers },
          JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId, ...more }),
        );

      const first = await report('A-1');
      expect([first.status, JSON.parse(first.text)]).toEqual([
        200,
        expect.objectContaining({ success: true }),
      ]);
      // One report a minute for each address. The address that the proxy saw counts, whatever a client writes into the header.
      for (const forged of ['192.0.2.1', '192.0.2.2, 192.0.2.3']) {
        expect((await report('A-2', { 'x-forwarded-for': forged })).status).toBe(429);
      }
      expect(await server.sql`select order_id from placed_order`).toMatchObject([{ order_id: 'A-1' }]);
      // The refusal of a body that is too large is the server's own, which a page can read.
      const authorization = `Bearer ${await server.addKey(uuid)}`;
      const large = await report('A-3', { authorization }, { name: 'x'.repeat(70_000) });
      expect([large.status, JSON.parse(large.text).error.code]).toEqual([413, 'payload_too_large']);
      // So is the refusal of a file that is too large for the console's comparison.
      const browser = await signIn({ sql: server.sql, url: server.bindUrl }, teamId);
      await browser.get('/console/setup/keys', { 'x-forwarded-for': '192.0.2.4' });
      const upload = await send(
        `${browser.home}/compare`,
        { cookie: browser.cookie, origin: url, 'content-type': 'multipart/form-data; boundary=b' },
        [
          `--b\r\nContent-Disposition: form-data; name="file"; filename="orders.csv"\r\n\r\n`,
          'x'.repeat(uploadBytes),
          '\r\n--b--\r\n',
        ].join(''),
      );
      expect([upload.status, upload.text]).toEqual([400, expect.stringContaining('Not compared.')]);
      expect((await send('/sdk/track.js')).status).toBe(200);
      expect((await send('/metrics')).status).toBe(404);

      const env = { ...server.env, PUBLIC_URL: url, NODE_EXTRA_CA_CERTS: ca };
      const { stdout } = await runProcess(['doctor', '--json'], env);
      const checks: { check: string; ok: boolean }[] = JSON.parse(stdout);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(['TLS', 'proxies']));
    },
  );
}
