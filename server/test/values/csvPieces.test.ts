// @module-tag all
import { expect, it } from 'vitest';
import { inertText, readCell } from '../../src/values/csvCells.js';
import { openCsv } from '../../src/values/csvFile.js';
import { growthOf } from '../kit/growthOf.js';

async function* piecesOf(text: string, characters: number) {
  for (let at = 0; at < text.length; at += characters) yield Buffer.from(text.slice(at, at + characters));
}

async function rowsOf(text: string, characters: number) {
  const { head, rows } = await openCsv(piecesOf(text, characters));
  const all = [[...head]];
  for await (const { cells } of rows) all.push(cells);
  return all;
}

it('a file reads the same in pieces of one character, of three, and whole', async () => {
  const text = `\uFEFFsep=;\r\n\r\norderId;amount\r\n${'"A;1";2\r\n'.repeat(2_000)}`;
  const whole = await rowsOf(text, text.length);
  expect(whole).toHaveLength(2_001);
  expect(await rowsOf(text, 1)).toEqual(whole);
  expect(await rowsOf(text, 3)).toEqual(whole);
});

it('a head line in pieces of one character is looked at when it has ended', async () => {
  const head = 'a'.repeat(300_000);
  const looked: number[] = [];
  const exec = RegExp.prototype.exec;
  RegExp.prototype.exec = function (text) {
    if (text.length > 1_000) looked.push(text.length);
    return exec.call(this, text);
  };
  try {
    expect(await rowsOf(`${head}\n1\n`, 1)).toEqual([[head], ['1']]);
  } finally {
    RegExp.prototype.exec = exec;
  }
  expect(looked.length).toBeLessThan(20);
});

it('a row of separators alone ends as one of long cells does', async () => {
  const commas = ','.repeat(1_500_000);
  await expect(rowsOf(`a,b\n1,2\n${commas}`, 100_000)).rejects.toThrow('Line 3 has more than 2000 cells');
  expect(await rowsOf(`a,b\n${'1,\n'.repeat(500_000)}`, 100_000)).toHaveLength(500_001);
});

it.each([
  ['commas', ','],
  ['quoted cells', '"a",'],
])('a row of more cells than a head line may have ends the file before it is built: %s', async (_, cell) => {
  const text = `a,b\n1,2\n3,4${cell.repeat(200_000)}\n5,6\n`;
  let read = 0;
  async function* pieces() {
    for await (const piece of piecesOf(text, 1_000)) {
      read += piece.length;
      yield piece;
    }
  }
  const { rows } = await openCsv(pieces());
  const seen: string[][] = [];
  const reading = (async () => {
    for await (const { cells } of rows) seen.push(cells);
  })();
  await expect(reading).rejects.toThrow(
    'Line 3 has more than 2000 cells: the file is not a CSV, or damaged.',
  );
  expect([seen, read < 100_000]).toEqual([[['1', '2']], true]);
});

it.each([
  ['read', readCell],
  ['write', inertText],
])('a cell full of what stands before a formula takes time that grows with it to %s', (_, task) => {
  expect(growthOf(task, (n) => "'\t".repeat(n), 16_000)).toBeLessThan(24);
  expect(growthOf(task, (n) => "\n'".repeat(n), 16_000)).toBeLessThan(24);
});
