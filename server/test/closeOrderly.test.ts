import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeOrderly } from '../src/database/connection/closeOrderly.js';

const ready = Buffer.from('Z\0\0\0\x05I');

/** A message as PostgreSQL frames it. */
function message(type: string, body: string): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

const fatal = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

/** A connection that is up, and what its user hears of it. */
function connected() {
  const socket = new Socket();
  closeOrderly(socket);
  const heard: unknown[] = [];
  socket.on('error', (error) => heard.push(['error', (error as NodeJS.ErrnoException).code]));
  socket.on('close', (isBad) => heard.push(['close', isBad]));
  socket.emit('data', ready);
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  return { socket, heard, received: () => Buffer.concat(received).toString('latin1') };
}

test('an idle connection that closes is closed at once, without an error', () => {
  const { socket, heard } = connected();
  socket.emit('close', false);
  expect(heard).toEqual([['close', false]]);
});

test('a busy connection that closes fails what waits, takes writes, and fails those when it says so', async () => {
  const { socket, heard } = connected();
  socket.emit('data', message('D', 'half a result'));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.emit('close', false);
  expect(heard).toEqual([['error', 'CONNECTION_CLOSED']]);
  expect(socket.write('rollback')).toBe(true);
  await closed;
  expect(heard).toEqual([
    ['error', 'CONNECTION_CLOSED'],
    ['error', 'CONNECTION_CLOSED'],
    ['close', false],
  ]);
});

test('a fatal error is kept from the data and told as the reason, also behind other messages', () => {
  const { socket, heard, received } = connected();
  const row = message('D', 'row');
  socket.emit('data', Buffer.concat([row, fatal]));
  expect(received()).toBe(row.toString('latin1'));
  socket.emit('close', false);
  expect(heard).toEqual([['error', '57P01']]);
});

test('what looks like a fatal error inside a result arrives whole', () => {
  const { socket, received } = connected();
  socket.emit('data', fatal);
  socket.emit('data', ready);
  expect(received()).toBe(Buffer.concat([fatal, ready]).toString('latin1'));
});
