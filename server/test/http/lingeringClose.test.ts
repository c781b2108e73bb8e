// @module-tag all
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServerForTest } from '../kit/server.js';
import { test } from '../kit/shop.js';

/** More data than the system buffers for a server that reads nothing. */
const pieces = 128;
const piece = 'x'.repeat(65_536);

async function open(url: string, head: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  socket.write(`${head}\r\nHost: x\r\n`);
  return socket;
}

/** Sends a whole request of 8 MiB before it reads, as many clients do. Resolves with the answer, empty if writing failed. */
async function sendWhole(url: string, head: string, isChunked = false): Promise<string> {
  const socket = await open(url, head);
  socket.pause();
  const length = `Content-Length: ${pieces * piece.length}`;
  socket.write(`${isChunked ? 'Transfer-Encoding: chunked' : length}\r\n\r\n`);
  for (let at = 0; at < pieces; at++) {
    const bytes = isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece;
    if (!(await new Promise((resolve) => socket.write(bytes, (error) => resolve(!error))))) return '';
  }
  let text = '';
  if (isChunked) socket.write('0\r\n\r\n');
  socket.resume().on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

const json = 'Content-Type: application/json';

describe('who sends a body of 8 MiB before reading gets the answer that came early', () => {
  test.for([
    ['an order', '/svc-api/v1/orders', false],
    ['an order in chunks', '/svc-api/v1/orders', true],
    ['a refund', '/svc-api/v1/orders/refunds', false],
  ] as const)('%s: 413', async ([, path, isChunked], { shop }) => {
    const head = `POST ${path} HTTP/1.1\r\nAuthorization: Bearer ${await shop.liveKey()}\r\n${json}`;
    const text = await sendWhole(shop.server.url, head, isChunked);
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/);
  });

  test('a form of the console: 413', async ({ shop }) => {
    const { cookie, home } = await shop.console();
    const { url } = shop.server;
    const head = `POST ${home}/shop HTTP/1.1\r\nOrigin: ${url}\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded`;
    expect(await sendWhole(url, head)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a wrong key on a connection that is to be closed: 401', async ({ server }) => {
    const head = `POST /svc-api/v1/orders HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer x\r\n${json}`;
    expect(await sendWhole(server.url, head)).toMatch(/^HTTP\/1\.1 401 [\s\S]*"invalid_api_key"/);
  });
});

it('a client that goes on sending after its answer is cut when a request may take no longer', async () => {
  const connections = { requestTimeout: 1_000, headersTimeout: 1_000, connectionsCheckingInterval: 50 };
  const { url } = await startServerForTest({ connections });
  const socket = await open(url, `POST /svc-api/v1/orders HTTP/1.1\r\nAuthorization: Bearer x\r\n${json}`);
  socket.write('Connection: close\r\nContent-Length: 1000000000\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), 20);
  await new Promise((resolve) => socket.on('close', resolve).resume());
  clearInterval(timer);
});
