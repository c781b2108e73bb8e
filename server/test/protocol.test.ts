import { expect, test } from 'vitest';
import {
  createAnswerReader,
  createStatementCounter,
  cutToStartup,
} from '../src/database/connection/protocol.js';
import { protocolMessage as message } from './protocolMessage.js';

const ready = message('Z', 'I');
const fatal = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
// A row that holds what looks like an error and the end of an answer.
const row = message('D', `row ${fatal.toString('latin1')}${ready.toString('latin1')}`);

/** A reader that writes down what its handlers hear, and everything that it passes on. */
function createReader() {
  const heard: unknown[] = [];
  const passed: Buffer[] = [];
  const read = createAnswerReader({
    onReady: (isInTransaction) => void heard.push(isInTransaction ? 'inside' : 'outside'),
    onError(error) {
      heard.push(error);
      return error.isFatal;
    },
    onParameter: (name, value) => void heard.push(`${name}=${value}`),
  });
  return { heard, read: (data: Buffer) => passed.push(read(data)), passed: () => Buffer.concat(passed) };
}

test('the statements of one write are counted by what asks for their answers', () => {
  const statement = [message('B', 'S\0\0\0\x04'), message('E', ''), message('S', '')];
  expect(
    createStatementCounter()(Buffer.concat([...statement, ...statement, message('Q', 'select 1')])),
  ).toBe(3);
});

test('a statement in two pieces is asked with its first one, and once', () => {
  const count = createStatementCounter();
  const [describe, run] = [
    [message('P', 'select'), message('D', ''), message('H', '')],
    [message('B', ''), message('E', ''), message('S', '')],
  ].map((messages) => Buffer.concat(messages)) as [Buffer, Buffer];
  expect([describe, run, run, describe, run].map(count)).toEqual([1, 0, 1, 1, 0]);
});

test('messages are understood and passed on whole, wherever they are cut', () => {
  const refused = message('E', 'SFEHLER\0VERROR\0C23505\0Mdoppelter Schlüssel\0\0');
  const parameter = message('S', 'in_hot_standby\0off\0');
  const all = Buffer.concat([
    parameter,
    ready,
    row,
    message('Z', 'T'),
    refused,
    message('Z', 'E'),
    row,
    ready,
  ]);
  for (let size = 1; size <= all.length; size++) {
    const { heard, read, passed } = createReader();
    for (let at = 0; at < all.length; at += size) read(all.subarray(at, at + size));
    expect(heard).toEqual([
      'in_hot_standby=off',
      'outside',
      'inside',
      { message: 'doppelter Schlüssel', code: '23505', isFatal: false },
      'inside',
      'outside',
    ]);
    expect(passed().equals(all)).toBe(true);
  }
});

test('an error that its handler holds back is passed on with what follows it, and not before', () => {
  for (let cut = 0; cut < fatal.length; cut++) {
    const { heard, read, passed } = createReader();
    read(Buffer.concat([row, fatal.subarray(0, cut)]));
    read(fatal.subarray(cut));
    expect(heard).toEqual([{ message: 'terminating connection', code: '57P01', isFatal: true }]);
    expect(passed().equals(row)).toBe(true);
    read(ready);
    expect(passed().equals(Buffer.concat([row, fatal, ready]))).toBe(true);
  }
});

test('a startup message is freed of what stands before it, and other messages stay whole', () => {
  const startup = Buffer.from('\0\0\0\x11\0\x03\0\0user\0ann\0');
  expect(cutToStartup(Buffer.concat([message('S', ''), startup])).equals(startup)).toBe(true);
  expect(cutToStartup(startup).equals(startup)).toBe(true);
  const cancel = Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]);
  expect(cutToStartup(cancel)).toBe(cancel);
});
