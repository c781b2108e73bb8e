import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readJson } from '../../../src/http/readBody.js';

/** Reads a body of 10 KB that has arrived, and calls back after it had its turn. */
async function read(headers: object, client: string, onRead: () => void): Promise<void> {
  const body = Readable.from([Buffer.from(JSON.stringify('x'.repeat(10_000)))]);
  const incoming = Object.assign(body, { headers: { 'content-type': 'text/plain', ...headers } });
  await readJson(incoming as unknown as IncomingMessage, ['text/plain'], undefined, () => client);
  onRead();
}

it('long bodies of one sender hold up neither a key’s nor those of another sender', async () => {
  const order: string[] = [];
  const reading = Array.from({ length: 100 }, () => read({}, '10.0.0.1', () => order.push('stranger')));
  reading.push(read({ authorization: 'Bearer a' }, '10.0.0.1', () => order.push('key')));
  for (let n = 0; n < 50; n++)
    reading.push(read({ authorization: 'Bearer b' }, '10.0.0.3', () => order.push('other key')));
  reading.push(read({}, '10.0.0.2', () => order.push('page')));
  await Promise.all(reading);
  expect(order).toHaveLength(152);
  expect(Math.max(order.indexOf('key'), order.indexOf('page'))).toBeLessThan(10);
});
