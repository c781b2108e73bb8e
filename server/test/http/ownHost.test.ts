// @module-tag all
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../kit/certificate.js';
import { exampleOf } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { runProcess } from '../kit/process.js';
import { startServerForTest } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { untilListening } from '../kit/untilListening.js';

/** Address of a buyer on this machine, from which no proxy calls. */
const buyerAt = '127.0.0.9';
const ofServer = (name: string) => exampleOf('server/guides/proxy.md', name);
const ofShop = (name: string) => exampleOf('sdk/recipes/own-host.md', name);

interface Ports {
  folder: string;
  server: string;
  direct: number;
  shop: number;
}

/** Configurations of the server's own proxy and of the shop's web server, from the guide and the recipe, in one process. */
const programs = {
  nginx: {
    command: '/usr/sbin/nginx',
    run({ folder, server, direct, shop }: Ports) {
      const own = ofServer('nginx')
        .replace('listen 443', `listen 127.0.0.1:${direct}`)
        .replace('orders.shop.example;', 'localhost;')
        .replaceAll('/etc/letsencrypt/live/orders.shop.example', folder)
        .replace('127.0.0.1:8787', server);
      const path = ofShop('own-path-nginx').replace('orders.shop.example', `127.0.0.1:${direct}`);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const site = `server { listen 127.0.0.1:${shop}; ${path} }`;
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${own}\n${site} }`,
      );
      return spawn(this.command, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    },
  },
  caddy: {
    command: '/usr/bin/caddy',
    run({ folder, server, direct, shop }: Ports) {
      const tls = `{\n    tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
      const own = ofServer('caddy-own-host')
        .replace('orders.shop.example {', `https://localhost:${direct} ${tls}`)
        .replace('127.0.0.1:8787', server)
        .replace('203.0.113.7', '127.0.0.1');
      const path = ofShop('own-path-caddy').replace(
        'reverse_proxy https://orders.shop.example {',
        `reverse_proxy https://localhost:${direct} {\ntransport http {\ntls_trusted_ca_certs ${folder}/fullchain.pem\n}`,
      );
      const site = `http://127.0.0.1:${shop} {\n${path}\n}`;
      writeFileSync(
        join(folder, 'Caddyfile'),
        `{\n    admin off\n    auto_https disable_redirects\n}\n${own}\n${site}`,
      );
      const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
      const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return spawn(this.command, args, { env, stdio: 'ignore' });
    },
  },
};

/** A server behind its own proxy and the shop's web server. */
async function startBoth(name: keyof typeof programs, trusted: string) {
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
  const proxy = programs[name].run({ folder, server: new URL(server.bindUrl).host, direct, shop });
  const ended = once(proxy, 'close');
  onTestFinished(async () => {
    proxy.kill('SIGTERM');
    await ended;
  });
  for (const port of [direct, shop]) await untilListening(port);
  const { teamId } = await server.addTeam('shop.example');
  let orders = 0;

  /** Reports an order from an address of this machine; resolves with the status. */
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

for (const name of ['nginx', 'caddy'] as const) {
  const isThere = spawnSync(programs[name].command, ['-v']).error === undefined;
  const test = it.skipIf(!isThere && process.env.CI !== 'true');

  test(`behind ${name} and the shop’s ${name}, the server counts each buyer by the own address on both ways`, async () => {
    const { direct, own, report, examine } = await startBoth(name, '127.0.0.1');
    const forged = { 'x-forwarded-for': '192.0.2.1' };
    // One report a minute and address.
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
