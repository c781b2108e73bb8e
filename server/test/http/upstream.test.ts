// @module-tag all
import { expect, it } from 'vitest';
import { exampleOf } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo, startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';
import { isMissing, startWebServer, type WebServer, webServers } from '../kit/webServers.js';

const guide = 'server/guides/several-servers.md';
const exampleFor = (name: string, ports: number[]) =>
  exampleOf(guide, name)
    .replace('10.0.0.11:8787', `127.0.0.1:${ports[0]}`)
    .replace('10.0.0.12:8787', `127.0.0.1:${ports[1]}`);

const configs: Record<WebServer, (port: number, ports: number[]) => string> = {
  nginx: (port, ports) =>
    `${exampleFor('nginx-upstream', ports)}\nserver { listen 127.0.0.1:${port}; location / { ${exampleOf(guide, 'nginx-next')} } }`,
  caddy: (port, ports) => `http://127.0.0.1:${port} {\n${exampleFor('caddy-several', ports)}\n}`,
};

const hasStored = async (server: string) =>
  /^orderbeacon_batch_rows_count [1-9]/m.test((await sendTo(new URL('/metrics', server), 'GET')).text);

for (const name of webServers) {
  const tries =
    name === 'nginx' ? 'at the first try' : 'once, by a second try where it met the end of a server';
  it.skipIf(isMissing(name))(
    `behind the guide’s ${name} each report is stored ${tries}, while servers are stopped, killed and started`,
    { tags: ['slow'] },
    async () => {
      const direct = await startServerForTest();
      const { origin, order, stored } = await openShop(direct);
      const ports = [await freePort(), await freePort()];
      const start = (at: number) =>
        startServerProcess({ DATABASE_URL: direct.env.DATABASE_URL!, PORT: String(ports[at]) });
      const servers = [await start(0), await start(1)];
      const port = await freePort();
      await startWebServer(name, configs[name](port, ports), [port]);

      let isOver = false;
      let orders = 0;
      const failures: number[] = [];
      const url = new URL('/svc-api/v1/orders', `http://127.0.0.1:${port}`);
      const headers = { origin, 'content-type': 'text/plain' };
      /** Reports as the script does: sends the same order again until it is acknowledged. */
      async function report(body: string) {
        for (;;) {
          const { status } = await sendTo(url, 'POST', { headers, body });
          if (status === 200) return void orders++;
          failures.push(status);
        }
      }
      async function write() {
        while (!isOver) await report(JSON.stringify(order()));
      }
      const writers = [write(), write(), write(), write()];
      const atLeast = (count: number) => expect.poll(() => orders).toBeGreaterThan(count);
      await atLeast(20);
      for (const [at, signal] of [
        [0, 'SIGTERM'],
        [1, 'SIGKILL'],
      ] as const) {
        servers[at]!.signal(signal);
        await servers[at]!.ended;
        await atLeast(orders + 20);
        servers[at] = await start(at);
        await expect.poll(() => hasStored(servers[at]!.url)).toBe(true);
      }
      isOver = true;
      await Promise.all(writers);
      expect(failures.filter((status) => name === 'nginx' || status !== 502)).toEqual([]);
      expect(await stored()).toHaveLength(orders);
    },
  );
}
