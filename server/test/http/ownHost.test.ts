// @module-tag all
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../kit/certificate.js';
import { freePort } from '../kit/freePort.js';
import { runProcess } from '../kit/process.js';
import { startServerForTest } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import {
  guideProxy,
  isMissing,
  shopPath,
  startWebServer,
  type WebServer,
  webServers,
} from '../kit/webServers.js';

/** Address of a buyer on this machine. No proxy has it. */
const buyerAt = '127.0.0.9';
/** Starts a server behind its own proxy and the shop's web server. */
async function startBoth(name: WebServer, trusted: string) {
  const folder = temporaryFolder();
  const certificate = await makeCertificate();
  const ca = join(folder, 'fullchain.pem');
  writeFileSync(join(folder, 'privkey.pem'), certificate.key);
  writeFileSync(ca, certificate.cert);
  const [direct, shop] = [await freePort(), await freePort()];
  const publicUrl = `https://localhost:${direct}`;
  const server = await startServerForTest({
    env: { PUBLIC_URL: publicUrl, ORDERBEACON_TRUST_PROXY: trusted, ORDERBEACON_RATE_LIMIT: '1' },
  });
  const targets = [new URL(server.bindUrl).host];
  const own = guideProxy[name]({ folder, port: direct, targets, isBehindShop: true });
  await startWebServer(name, `${own}\n${shopPath[name](shop, direct, ca)}`, [direct, shop]);
  const { teamId } = await server.addTeam('shop.example');
  let orders = 0;

  /** Reports an order from an address of this machine. Resolves with the status. */
  const report = (base: string, localAddress: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL(`${base}/svc-api/v1/orders`);
      const all = { origin: 'https://shop.example', 'content-type': 'text/plain', ...headers };
      const options = { method: 'POST', headers: all, localAddress, ca: certificate.cert, family: 4 };
      const ask = url.protocol === 'https:' ? requestTls : request;
      ask(url, options, (response) => resolve(response.resume().statusCode!))
        .once('error', reject)
        .end(JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId: `A-${orders++}` }));
    });

  /** Runs the doctor on a page of the shop whose reports go through the shop's own host. */
  async function examine() {
    const page = createServer((incoming, response) => {
      if (incoming.url !== '/thanks') {
        const { method } = incoming;
        const headers = { ...incoming.headers, host: `127.0.0.1:${shop}` };
        const onwards = request({ port: shop, path: incoming.url, method, headers }, (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        });
        return void incoming.pipe(onwards);
      }
      response.end(
        `<script async src="/shop-orders/sdk/track.js" data-team-id="${teamId}" data-endpoint="/shop-orders"></script>`,
      );
    }).listen(0, '127.0.0.1');
    await once(page, 'listening');
    onTestFinished(() => void page.close());
    const env = { ...server.env, PUBLIC_URL: publicUrl, NODE_EXTRA_CA_CERTS: ca };
    const url = `http://localhost:${(page.address() as { port: number }).port}/thanks`;
    const { stdout } = await runProcess(['doctor', '--json', url], env);
    const checks: { check: string; ok: boolean; message: string }[] = JSON.parse(stdout);
    return (name: string) => checks.find(({ check }) => check === name)!;
  }

  return { direct: publicUrl, own: `http://127.0.0.1:${shop}/shop-orders`, report, examine };
}

for (const name of webServers) {
  const test = it.skipIf(isMissing(name));

  test(`behind ${name} and the shop’s ${name}, the server counts each buyer by the own address on both ways`, async () => {
    const { direct, own, report, examine } = await startBoth(name, '127.0.0.1');
    const forged = { 'x-forwarded-for': '192.0.2.1' };
    // One report a minute for each address.
    expect(await report(direct, buyerAt)).toBe(200);
    for (const base of [direct, own]) {
      expect(await report(base, buyerAt)).toBe(429);
      expect(await report(base, buyerAt, forged)).toBe(429);
    }
    expect(await report(own, '127.0.0.10')).toBe(200);
    expect(await report(direct, '127.0.0.10', forged)).toBe(429);
    const of = await examine();
    expect(of('proxies')).toMatchObject({ ok: true });
    expect(of('endpoint')).toMatchObject({ ok: true });
  });

  test(`doctor finds by the page that ${name} before the server is not named`, async () => {
    const { examine } = await startBoth(name, '10.0.0.0/8');
    const of = await examine();
    expect(of('proxies')).toMatchObject({ ok: false, message: expect.stringContaining('names 0 of them') });
    expect(of('endpoint')).toMatchObject({ ok: false, message: expect.stringContaining('names 0 of them') });
  });
}
