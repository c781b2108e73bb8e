import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = [
  'sdk/src',
  'sdk/client',
  'sdk/test',
  'server/src',
  'server/test',
  'server/bench',
  'e2e',
  '.config',
];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:[tj]sx?|mjs)$/.test(name) && !/node_modules|(?:^|[\\/])dist\b/.test(name))
    .map((name) => join(folder, name)),
);

/** First words of a clause. A docstring names a thing ("Queue limits.") or says what a function does ("Limits …"). */
const clause = /^(?:What|Whatever|Whether|Who|Whoever|When|Where|Which|Why|How|Told|Makes what)\b/;

/** Words that have a plainer one. */
const plainer: [RegExp, string][] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bat once\b/i, 'immediately, or concurrently'],
  [/\bsightings?\b/i, 'last seen'],
  [/\bunlike\b/i, 'not'],
  [/\bso many as\b/i, 'as many as'],
  [/\b(?:or|for) it is told\b/i, 'a plain sentence'],
];

const comment = /^\s*(?:\/\*|\*|\/\/)(.*)|\s\/\/ (.*)/;

/** Title of a test, or of a group of them. */
const title = /(?:\b(?:it|test|describe)(?:\.[^'"`]*)?|^\s*\]\))\(['"`](.*)/;

/** The sentences of a program's comments and tests' titles that are not plain, each with its line and the reason. */
function findUnplain(code: string): string[] {
  const lineOf = (index: number) => code.slice(0, index).split('\n').length;
  const docstrings = [...code.matchAll(/\/\*\*[\s*]*([^\n]*)/g)]
    .filter(([, text]) => clause.test(text!))
    .map(({ index, 1: text }) => `${lineOf(index)}: begins with a clause: ${text}`);
  const words = code.split('\n').flatMap((line, at) => {
    const text = [comment, title].map((part) => part.exec(line)?.[0] ?? '').join(' ');
    return plainer
      .filter(([word]) => word.test(text))
      .map(([, instead]) => `${at + 1}: write ${instead}: ${text.trim()}`);
  });
  return [...docstrings, ...words];
}

it('docstrings begin with a verb or a noun, and comments and titles have plain words', () => {
  const found = files
    .filter((file) => !file.endsWith('plainWords.test.ts'))
    .flatMap((file) =>
      findUnplain(readFileSync(join(root, file), 'utf8')).map((fault) => `${file}:${fault}`),
    );
  expect(files.length).toBeGreaterThan(400);
  expect(found).toEqual([]);
});

it.each([
  ['/** What the server knows of teams. */', 1],
  ['/**\n * Whether a key is live.\n */', 1],
  ['/** Makes what says whether a statement may start. */', 1],
  ['  /** Told of each report. */', 1],
  ['const a = 1; // Sent at once.', 1],
  ['/** Reports that can be mended. */', 1],
  ['/** Cache of teams and keys. */', 0],
  ["it('is refused at once', () => {", 1],
  ["])('%s is mended', (id) => {", 1],
  ["const text = 'What is mended at once';", 0],
])('the check finds what is not plain in %j', (code, faults) => {
  expect(findUnplain(code)).toHaveLength(faults);
});
