import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitPipelining } from '../src/http/limitPipelining.js';
import { startServerForTest } from './server.js';

/** Short for a client that is slow, and long for a busy machine that has not read a request which came in whole. */
const quick = { headersMs: 2_000, requestMs: 3_000, keepAliveMs: 300, checkEveryMs: 50 };

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
  const answer = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  return { socket, answer };
}

/** The status and the parsed body of a raw answer with `Content-Length`. */
function parse(answer: string) {
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(body));
  return { status: Number(head.split(' ')[1]), headers, body: JSON.parse(body) };
}

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
    const server = await startServerForTest({}, quick);
    const { socket, answer } = await open(server.url);
    socket.write(start);
    drip(socket, more);
    expect((await server.send('GET', '/healthz')).status).toBe(200);
    const { status, headers, body } = parse(await answer);
    expect([status, body.error.code]).toEqual([408, 'request_timeout']);
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('connection')).toBe('close');
    expect((await server.send('GET', '/healthz')).status).toBe(200);
    expect(server.lines.map((line) => JSON.parse(line)).filter(({ status }) => status >= 500)).toEqual([]);
    const metrics = (await server.send('GET', '/metrics')).text;
    expect(metrics).toContain('orderbeacon_request_seconds_count{route="none",status="408"} 1');
  });

  it('that opens a connection and says nothing is cut', async () => {
    const server = await startServerForTest({}, quick);
    const { answer } = await open(server.url);
    expect(parse(await answer).status).toBe(408);
  });
});

it('what is no HTTP gets 400, and too large headers 431, each in the shape of every refusal', async () => {
  const server = await startServerForTest();
  for (const [text, status, code] of [
    ['HELLO\r\n\r\n', 400, 'invalid_request'],
    ['GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'invalid_request'],
    [
      'POST /svc-api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['GET /\\x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ] as const) {
    const { socket, answer } = await open(server.url);
    socket.write(text);
    const parsed = parse(await answer);
    expect([parsed.status, parsed.body.success, parsed.body.error.code]).toEqual([status, false, code]);
    expect(parsed.headers.get('x-content-type-options')).toBe('nosniff');
    expect(parsed.headers.get('x-request-id')).toBe(parsed.body.requestId);
  }
  const outcomes = server.lines.map((line) => JSON.parse(line).outcome);
  expect(outcomes.filter((outcome) => outcome === 'invalid_request')).toHaveLength(7);
});

it('an expectation that nobody knows is ignored, as RFC 9110 allows', async () => {
  const server = await startServerForTest();
  const answer = await server.send('GET', '/healthz', { headers: { expect: 'a-miracle' } });
  expect([answer.status, answer.body.data]).toEqual([200, { status: 'ok', version: expect.any(String) }]);
});

it('connections over the limit are closed, and those that are open go on', async () => {
  const server = await startServerForTest({}, { connections: 2 });
  const first = await open(server.url);
  const second = await open(server.url);
  const third = await open(server.url);
  expect(await third.answer).toBe('');
  first.socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(parse(await first.answer).status).toBe(200);
  second.socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(parse(await second.answer).status).toBe(200);
});

it('requests of one connection go in one after the other, beside those of other connections', async () => {
  const begun: string[] = [];
  const answers: ServerResponse[] = [];
  const server = createServer(
    limitPipelining(
      (request, response) => {
        begun.push(request.url!);
        answers.push(response);
      },
      { pipelined: 8 },
    ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const eager = await open(url);
  eager.socket.write(get('/1') + get('/2'));
  await expect.poll(() => begun).toEqual(['/1']);
  const other = await open(url);
  other.socket.write(get('/other'));
  await expect.poll(() => begun).toEqual(['/1', '/other']);
  answers[0]!.end();
  await expect.poll(() => begun).toEqual(['/1', '/other', '/2']);
  server.closeAllConnections();
});

it('a connection that brings more requests than may wait is cut, and up to that many are answered', async () => {
  const server = await startServerForTest({}, { pipelined: 3 });
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
