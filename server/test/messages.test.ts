import { expect, test } from 'vitest';
import { createAnswerWatch, createAskWatch } from '../src/database/connection/messages.js';

/** A message as the protocol frames it. */
function message(letter: string, body: string): Buffer {
  const head = Buffer.from(`${letter}\0\0\0\0`);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

const ready = message('Z', 'I');
// A row that holds what looks like the end of an answer.
const row = message('D', `row ${ready.toString('latin1')}`);

test('the statements of one write are counted by what asks for their answers', () => {
  const statement = [message('B', 'S\0\0\0\x04'), message('E', ''), message('S', '')];
  expect(createAskWatch()(Buffer.concat([...statement, ...statement, message('Q', 'select 1')]))).toBe(3);
});

test('a statement in two pieces is asked with its first one, and once', () => {
  const watch = createAskWatch();
  const [describe, run] = [
    [message('P', 'select'), message('D', ''), message('H', '')],
    [message('B', ''), message('E', ''), message('S', '')],
  ].map((messages) => Buffer.concat(messages)) as [Buffer, Buffer];
  expect([describe, run, run, describe, run].map(watch)).toEqual([1, 0, 1, 1, 0]);
});

test('answers are counted and their end is seen, wherever the messages are cut', () => {
  const all = Buffer.concat([row, ready, row, message('Z', 'T'), row, ready]);
  for (let size = 1; size <= all.length; size++) {
    const watch = createAnswerWatch();
    let readies = 0;
    const idleAt: number[] = [];
    for (let at = 0; at < all.length; at += size) {
      const answered = watch(all.subarray(at, at + size));
      readies += answered.readies;
      if (answered.isIdle) idleAt.push(Math.min(at + size, all.length));
    }
    expect(readies).toBe(3);
    expect(idleAt.at(-1)).toBe(all.length);
    expect(idleAt.filter((at) => at !== all.length && at !== row.length + ready.length)).toEqual([]);
  }
});

test('an answer outside of a transaction is told from one within', () => {
  const watch = createAnswerWatch();
  expect(watch(message('Z', 'T'))).toEqual({ readies: 1, isIdle: false });
  expect(watch(ready)).toEqual({ readies: 1, isIdle: true });
  expect(watch(row)).toEqual({ readies: 0, isIdle: false });
});
