import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findHome } from '../../src/embedded/home.js';
import { readPostmaster } from '../../src/embedded/postmaster.js';
import { dataFolder } from '../kit/dataFolder.js';
import { startServerProcess } from '../kit/process.js';

it('a second signal waits for no request, and the embedded PostgreSQL ends with the server all the same', {
  tags: ['all'],
}, async () => {
  const folder = await dataFolder('migrated');
  const { cluster } = findHome(folder, () => {});
  const server = await startServerProcess({ ORDERBEACON_DATA_DIR: folder, ORDERBEACON_DEMO: 'off' });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const head = 'POST /svc-api/v1/orders HTTP/1.1\r\nHost: x\r\nOrigin: https://shop.example\r\n';
  socket.write(`${head}Content-Type: text/plain\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`);
  // The request has begun, and its body never comes.
  await once(socket, 'data');
  server.signal('SIGINT');
  // The server stops now: it does not listen any more.
  await expect
    .poll(() =>
      fetch(server.url).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  const startedMs = performance.now();
  server.signal('SIGINT');
  expect((await server.ended).code).toBe(0);
  // By itself the request would have had 10 s.
  expect(performance.now() - startedMs).toBeLessThan(8_000);
  expect(readPostmaster(cluster)).toBeNull();
});
