import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findNames, findSentences, judge, parse, readRules } from './checkWords.js';

const rules = readRules(`
| Thing | Word | Not |
|---|---|---|
| a \`thing\` | word | \`world\`, \`leftBuyers\` |
| order | identifier | \`key\` alone |
| position | column | \`place\` last |

| Not | But |
|---|---|
| \`other\` | \`word\` |
`);

const namesIn = (code: string) => findNames(parse('a.tsx', code), rules).map(({ text }) => text);
const sentencesIn = (code: string) => findSentences(parse('a.tsx', code)).map(({ text }) => text);

it.each([
  ['const world = 1;', ['world']],
  ['const isOfWorld = (worldSize: number) => 1;', ['isOfWorld', 'worldSize']],
  ['interface MyWorld { old_world: string; }', ['MyWorld', 'old_world']],
  ['const { a: world } = b; const [leftBuyers] = c;', ['world', 'leftBuyers']],
  ['import { a as world } from "b";', ['world']],
  ['export const key = 1;', ['key']],
  ['interface A { key: string; key(): void; }', ['key', 'key']],
  ['const readPlace = 1;', ['readPlace']],
])('a name of the table fails: %s', (code, names) => {
  expect(namesIn(code)).toEqual(names);
});

it.each([
  'const worldly = other.world; const left = buyers;',
  'import { world } from "b"; const { world: mode } = b; const { key } = c;',
  'const key = 1; function f(key: string) { return { key }; }',
  'export const apiKey = 1; interface A { keyHash: string; }',
  'const placeOrder = 1; // a world',
  'const thing = "world";',
])('another name does not: %s', (code) => {
  expect(namesIn(code)).toEqual([]);
});

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

it.each([
  ['/** What it is. */ const a = 1;', ['begins with "What"']],
  ['/**\n * True for all.\n */\nfunction f() {}', ['begins with "True"']],
  ['interface A {\n  /** Of the page. */\n  a: 1;\n}', ['begins with "Of"']],
  [`/** ${words(26)}. */`, ['has 26 words in its first sentence']],
  ['// Null where there is none.', ['has "is none"']],
  ['const a = 1; /* Written\n * anew. */', ['has "anew"']],
  ['f(() => {\n  // All at once.\n});', ['has "at once"']],
])('a sentence against the rules fails: %s', (code, faults) => {
  expect(sentencesIn(code)).toEqual(faults);
});

it.each([
  '/** Fields of an order. */',
  '/** @returns true if it is so */',
  '// What it is, without a docstring.',
  `/** ${words(20)}. The ${words(20)}. */`,
  `/** ${words(20)}. @param a ${words(20)} */`,
  'const a = "/** What it is. */"; const b = `// anew`; const c = <p>/* anew */</p>;',
])('another one does not: %s', (code) => {
  expect(sentencesIn(code)).toEqual([]);
});

it('an exception holds as long as it is needed, and a count is exact', () => {
  const at = (text: string) => [{ line: 1, text }];
  const found = { 'a.ts': { names: at('world'), sentences: at('has "anew"') } };
  const fine = { names: { world: 'A column.' }, sentences: { 'a.ts': 1 } };
  const complaints = (names: object, sentences: object) => judge(found, { ...fine, ...names, ...sentences });
  expect(complaints({}, {})).toEqual([]);
  expect(complaints({ names: {} }, {})).toEqual(['a.ts:1 names something world. See .github/WORDS.md.']);
  expect(complaints({ names: { world: 'A column.', told: 'Of a cookie.' } }, {})).toEqual([
    'The exception told of .config/wordExceptions.json is not needed any more.',
  ]);
  expect(complaints({}, { sentences: {} })).toHaveLength(1);
  expect(complaints({}, { sentences: { 'a.ts': 2 } })).toHaveLength(1);
  expect(complaints({}, { sentences: { 'a.ts': 1, 'gone.ts': 1 } })).toHaveLength(1);
});

it('the table of the guide is read', () => {
  const read = readRules(readFileSync(join(import.meta.dirname, '../.github/WORDS.md'), 'utf8'));
  expect(read).toContainEqual({ word: ['world'], how: 'part' });
  expect(read).toContainEqual({ word: ['key'], how: 'alone' });
  expect(read).toContainEqual({ word: ['place'], how: 'last' });
});
