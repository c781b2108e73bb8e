// @module-tag all
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundConnections, connectionBounds } from '../../src/http/connectionBounds.js';
import { listenForTest } from '../kit/http.js';
import { startServerForTest } from '../kit/server.js';
import { openShop, test } from '../kit/shop.js';
import { sendRaw } from './rawHttp.js';

/** Short limits for a slow client, but long enough for a busy machine to read a request that came in whole. */
const quick = {
  headersTimeout: 2_000,
  requestTimeout: 3_000,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
};

/** Opens a raw connection. `answer` resolves with all received data when the server has closed it. */
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

/** Reads the status of a raw answer. */
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

/** Keeps sending bytes, as a slow client does, until the server has closed the connection. */
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
    ['nothing', '', ''],
  ])('that drips %s is cut with 408 while others are served', async (_, start, more) => {
    const server = await startServerForTest({ connections: quick });
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
});

test.for([
  ['HELLO\r\n\r\n', 400],
  ['GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(35_000)}\r\n\r\n`, 431],
  ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
  ['GET /\\x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', NaN],
] as const)('what is no HTTP of ours ends its connection, case %#', async ([bytes, status], { server }) => {
  expect((await sendRaw(server.url, bytes)).status).toBe(status);
});

test('an order with 30,000 bytes of cookies is stored', async ({ shop }) => {
  expect((await shop.report({}, { cookie: `a=${'x'.repeat(30_000)}` })).status).toBe(200);
});

test('an expectation that nobody knows is ignored, as RFC 9110 allows', async ({ server }) => {
  const answer = await server.send('GET', '/healthz', { headers: { expect: 'a-miracle' } });
  expect([answer.status, answer.body.data]).toEqual([200, { status: 'ok', version: expect.any(String) }]);
});

const close = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

it.each([
  ['that says nothing', ''],
  ['whose body never comes', 'POST /svc-api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
  ['that has had its answer', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
])('over the limit the oldest connection %s is closed, and a new one is served', async (_, bytes) => {
  const server = await startServerForTest({ connections: { connections: 2 } });
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

/** Starts a server with a listener of the test. */
async function startBounded(
  bounds: { connections: number; pipelined: number },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer();
  boundConnections(server, answer, bounds);
  return (await listenForTest(server)).url;
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

/** More bytes than the system buffers for a client that reads nothing. */
const unreadable = Buffer.alloc(20_000_000);

it.each([
  ['a whole answer', (response: ServerResponse) => void response.end(unreadable)],
  ['an answer that is still being made', (response: ServerResponse) => void response.write(unreadable)],
])('over the limit a client that does not read %s keeps nobody away', async (_, answer) => {
  const url = await startBounded({ connections: 1, pipelined: 8 }, ({ url }, response) =>
    url === '/big' ? answer(response) : void response.end('done'),
  );
  const first = await open(url);
  first.socket.pause().write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(first.socket, 'readable');
  const second = await open(url);
  second.socket.write(close);
  expect(statusOf(await second.answer)).toBe(200);
});

it('answers of a large file that nobody reads share its bytes', async () => {
  const { url } = await startServerForTest();
  const path = '/docs/assets/swagger-ui-bundle.js';
  const bytes = (await (await fetch(url + path)).arrayBuffer()).byteLength;
  const beforeBytes = process.memoryUsage().arrayBuffers;
  for (let client = 0; client < 20; client++) {
    const { socket } = await open(url);
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(connectionBounds.pipelined));
    await once(socket, 'readable');
  }
  expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(20 * bytes);
});

describe('a body in chunks', () => {
  const inChunks = (sizes: number[]) =>
    `${sizes.map((size) => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`).join('')}0\r\n\r\n`;
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  /** Sends a body to a server that reads all of it. Resolves with its answer, and the numbers of chunks and bytes. */
  async function sendBody(sizes: number[]) {
    const read = { chunks: 0, bytes: 0 };
    const url = await startBounded({ connections: 9, pipelined: 8 }, (request, response) => {
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

  test('that nobody reads ends the connection with the answer', async ({ server }) => {
    const bytes = `${head.replace('/', '/svc-api/v1/orders')}5\r\naaaaa\r\n`;
    const { status, text } = await sendRaw(server.url, bytes);
    expect([status, text]).toEqual([403, expect.stringContaining('Connection: close')]);
  });
});

it('a connection that brings more requests than may wait is cut, and up to that many are answered', async () => {
  const server = await startServerForTest({ connections: { pipelined: 3 } });
  const shop = await openShop(server);
  const report = (orderId: string) => {
    const body = JSON.stringify(shop.order({ orderId }));
    const headers = `Host: x\r\nOrigin: ${shop.origin}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}`;
    return `POST /svc-api/v1/orders HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
  };
  const patient = await sendRaw(server.url, report('1') + report('2') + close);
  expect(patient.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  const greedy = await sendRaw(server.url, ['3', '4', '5', '6'].map(report).join('') + close);
  expect(greedy.text).toBe('');
  await server.stop();
  expect((await shop.stored()).map(({ orderId }) => orderId)).not.toContain('6');
});
