import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundChunks } from '../src/http/boundChunks.js';
import { boundConnections } from '../src/http/boundConnections.js';
import { startServerForTest } from './server.js';

/** Short for a client that is slow, and long for a busy machine that has not read a request which came in whole. */
const quick = {
  headersTimeout: 2_000,
  requestTimeout: 3_000,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
};

/** A raw connection; `answer` resolves with all that came back once the server has closed it. */
async function open(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const answer = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  await once(socket, 'connect');
  return { socket, answer };
}

/** The status of a raw answer. */
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

/** Goes on sending bytes, as a slow client does, until the server has closed the connection. */
function drip(socket: ReturnType<typeof connect>, bytes: string) {
  const timer = setInterval(() => socket.write(bytes), 20);
  socket.on('close', () => clearInterval(timer));
}

describe('a slow client', () => {
  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'a'],
    [
      'a body',
      'POST /svc-api/v1/orders HTTP/1.1\r\nHost: x\r\nOrigin: https://shop.example\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
      ' ',
    ],
  ])('that drips %s is cut with 408 while others are served', async (_, start, more) => {
    const server = await startServerForTest({ env: {}, connections: quick });
    const { socket, answer } = await open(server.url);
    socket.write(start);
    drip(socket, more);
    expect((await server.send('GET', '/healthz')).status).toBe(200);
    const text = await answer;
    expect(statusOf(text)).toBe(408);
    expect(text.toLowerCase()).toContain('connection: close');
    expect((await server.send('GET', '/healthz')).status).toBe(200);
    expect(server.lines.map((line) => JSON.parse(line)).filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('that opens a connection and says nothing is cut', async () => {
    const server = await startServerForTest({ env: {}, connections: quick });
    const { answer } = await open(server.url);
    expect(statusOf(await answer)).toBe(408);
  });
});

it('what is no HTTP gets 400, and too large headers 431, and the connection is closed', async () => {
  const server = await startServerForTest();
  for (const [text, status] of [
    ['HELLO\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    [
      'POST /svc-api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(35_000)}\r\n\r\n`, 431],
    ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['GET /\\x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ] as const) {
    const { socket, answer } = await open(server.url);
    socket.write(text);
    expect([text.slice(0, 80), statusOf(await answer)]).toEqual([text.slice(0, 80), status]);
  }
  const { socket, answer } = await open(server.url);
  socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await answer).toBe('');
});

it('an order with 30,000 bytes of cookies is stored', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  const cookie = `a=${'x'.repeat(30_000)}`;
  const order = { teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' };
  expect((await server.report(order, { origin: 'https://shop.example', cookie })).status).toBe(200);
});

it('an expectation that nobody knows is ignored, as RFC 9110 allows', async () => {
  const server = await startServerForTest();
  const answer = await server.send('GET', '/healthz', { headers: { expect: 'a-miracle' } });
  expect([answer.status, answer.body.data]).toEqual([200, { status: 'ok', version: expect.any(String) }]);
});

const close = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

it.each([
  ['that says nothing', ''],
  ['whose body never comes', 'POST /svc-api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
  ['that has had its answer', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
])('over the limit the oldest connection %s is closed, and a new one is served', async (_, bytes) => {
  const server = await startServerForTest({ env: {}, connections: { connections: 2 } });
  const first = await open(server.url);
  first.socket.write(bytes);
  if (bytes !== '') await once(first.socket, 'data').catch(() => {});
  const second = await open(server.url);
  second.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(second.socket, 'data');
  const third = await open(server.url);
  third.socket.end(close);
  expect(statusOf(await third.answer)).toBe(200);
  expect(first.socket.closed || (await first.answer)).toBeTruthy();
  second.socket.end(close);
  expect((await second.answer).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

/** A server with a listener of the test's own. */
async function startBounded(
  bounds: { connections: number; pipelined: number },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer();
  boundConnections(server, answer, bounds);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('over the limit a connection whose request is being answered stays, and the new one is closed', async () => {
  const answers: ServerResponse[] = [];
  const url = await startBounded({ connections: 1, pipelined: 8 }, (_request, response) =>
    answers.push(response),
  );
  const first = await open(url);
  first.socket.write(close);
  await expect.poll(() => answers).toHaveLength(1);
  const second = await open(url);
  expect(await second.answer).toBe('');
  answers[0]!.end('done');
  expect(statusOf(await first.answer)).toBe(200);
});

describe('a body in chunks', () => {
  const inChunks = (sizes: number[]) =>
    `${sizes.map((size) => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`).join('')}0\r\n\r\n`;
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  /** Sends a body to a server that reads all of it; resolves with its answer, and the chunks and bytes that it has read. */
  async function sendBody(sizes: number[]) {
    const read = { chunks: 0, bytes: 0 };
    const url = await startBounded({ connections: 9, pipelined: 8 }, (request, response) => {
      boundChunks(request, response);
      request.on('data', (chunk: Buffer) => {
        read.chunks++;
        read.bytes += chunk.byteLength;
      });
      request.on('end', () => response.end('read'));
    });
    const { socket, answer } = await open(url);
    socket.write(head + inChunks(sizes));
    return { text: await answer, ...read };
  }

  it('of one byte each ends the connection after some hundred of them', async () => {
    const { text, chunks } = await sendBody(Array(63_000).fill(1));
    expect(text).toBe('');
    expect(chunks).toBeLessThan(300);
  });

  it.each([
    ['some of one byte', Array(200).fill(1)],
    ['many of 64 bytes', Array(1_000).fill(64)],
    ['a few of many bytes', Array(4).fill(16_000)],
  ])('of %s is read whole', async (_, sizes: number[]) => {
    const { text, bytes } = await sendBody(sizes);
    expect([statusOf(text), bytes]).toEqual([200, sizes.reduce((sum, size) => sum + size)]);
    expect(text).toContain('Connection: close');
  });

  it('that nobody reads ends the connection with the answer', async () => {
    const server = await startServerForTest();
    const { socket, answer } = await open(server.url);
    socket.write(`${head.replace('/', '/svc-api/v1/orders')}5\r\naaaaa\r\n`);
    const text = await answer;
    expect(statusOf(text)).toBe(403);
    expect(text).toContain('Connection: close');
  });
});

it('a connection that brings more requests than may wait is cut, and up to that many are answered', async () => {
  const server = await startServerForTest({ env: {}, connections: { pipelined: 3 } });
  const { teamId } = await server.addTeam('shop.example');
  const report = (n: number) => {
    const body = JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId: `o-${n}` });
    const headers = `Host: x\r\nOrigin: https://shop.example\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}`;
    return `POST /svc-api/v1/orders HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
  };
  const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const patient = await open(server.url);
  patient.socket.write(report(1) + report(2) + last);
  expect((await patient.answer).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  const greedy = await open(server.url);
  greedy.socket.write(report(3) + report(4) + report(5) + report(6) + last);
  expect(await greedy.answer).toBe('');
  await server.stop();
  const rows = await server.sql`select order_id from placed_order order by order_id`;
  expect(rows.map((row) => row.order_id)).not.toContain('o-6');
});
