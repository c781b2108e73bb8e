// @module-tag all
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exampleOf } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo, startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { untilListening } from '../kit/untilListening.js';

const program = '/usr/sbin/nginx';
const guide = 'server/guides/several-servers.md';
const isThere = spawnSync(program, ['-v']).error === undefined;

// Without nginx (Debian: apt-get install nginx-light) a skip; on CI a failure.
it.skipIf(!isThere && process.env.CI !== 'true')(
  'behind the guide’s nginx each report is stored at the first try, while servers are stopped, killed and started',
  { tags: ['slow'] },
  async () => {
    const direct = await startServerForTest();
    const { origin, order, stored } = await openShop(direct);
    const ports = [await freePort(), await freePort()];
    const start = (at: number) =>
      startServerProcess({ DATABASE_URL: direct.env.DATABASE_URL!, PORT: String(ports[at]) });
    const servers = [await start(0), await start(1)];
    const folder = temporaryFolder();
    const port = await freePort();
    const upstream = exampleOf(guide, 'nginx-upstream')
      .replace('10.0.0.11:8787', `127.0.0.1:${ports[0]}`)
      .replace('10.0.0.12:8787', `127.0.0.1:${ports[1]}`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const site = `server { listen 127.0.0.1:${port}; location / { ${exampleOf(guide, 'nginx-next')} } }`;
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${upstream}\n${site} }`,
    );
    const proxy = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    const ended = once(proxy, 'close');
    onTestFinished(async () => {
      proxy.kill('SIGTERM');
      await ended;
    });
    await untilListening(port);

    let isOver = false;
    const statuses: number[] = [];
    const writer = async () => {
      while (!isOver) {
        const url = new URL('/svc-api/v1/orders', `http://127.0.0.1:${port}`);
        const headers = { origin, 'content-type': 'text/plain' };
        const { status } = await sendTo(url, 'POST', { headers, body: JSON.stringify(order()) });
        statuses.push(status);
      }
    };
    const writers = [writer(), writer(), writer(), writer()];
    const atLeast = (count: number) => expect.poll(() => statuses.length).toBeGreaterThan(count);
    await atLeast(20);
    for (const [at, signal] of [
      [0, 'SIGTERM'],
      [1, 'SIGKILL'],
    ] as const) {
      servers[at]!.signal(signal);
      await servers[at]!.ended;
      await atLeast(statuses.length + 20);
      servers[at] = await start(at);
      await atLeast(statuses.length + 20);
    }
    isOver = true;
    await Promise.all(writers);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await stored()).toHaveLength(statuses.length);
  },
);
