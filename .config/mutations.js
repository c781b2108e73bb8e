/**
 * `npm run test:mutations` breaks promises of the product, one at a time, and requires that a test of `npm test` fails. It works
 * in a copy of the tree, `.mutated`. Words choose mutations by their promise or file; without words all are tried. With `--check`,
 * as a part of `npm run check`, it only checks that each text and test exists where the list says. The exit code is 1 if a
 * mutation is not noticed.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutationsOfCore } from './mutations/core.js';
import { mutationsOfFeatures } from './mutations/features.js';
import { mutationsOfMerge } from './mutations/merge.js';
import { mutationsOfSdk } from './mutations/sdk.js';

/**
 * @typedef {object} Mutation
 * @property {string} promise the promise that it breaks
 * @property {string} file path of the source, from the root
 * @property {string} text text that occurs in it exactly once
 * @property {string} by text that replaces it
 * @property {string[]} tests files of `npm test` that import the source, because the copy is not built; at least one has to fail
 */

const root = join(import.meta.dirname, '..');
const copy = join(root, '.mutated');
const report = join(copy, 'report.json');
/** Files that no test reads, or that a run writes. */
const leftOut = ['.git', '.mutated', '.evidence', '.packages', '.vite', 'coverage'];

/**
 * Copies a folder as hard links.
 * @param {string} from
 * @param {string} to
 */
function link(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.includes(entry.name)) continue;
    if (entry.isDirectory()) link(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkSync(source, target);
  }
}

/**
 * Writes a file of the copy. It removes the link first, because the original has the same bytes.
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  rmSync(join(copy, file));
  writeFileSync(join(copy, file), text);
}

/**
 * Runs test files in the copy as `npm test` does, and sorts the tests that ran.
 * @param {string[]} tests
 */
function run(tests) {
  rmSync(report, { force: true });
  const args = ['--config', '.config/vitest.ts', '--tags-filter=!all && !long', '--reporter=json'];
  const projects = [...new Set(tests.map((test) => `--project=${test.split('/', 1)[0]}`))];
  const files = tests.map((test) => join(copy, test));
  const { stderr } = spawnSync(
    'npx',
    ['vitest', 'run', ...args, ...projects, `--outputFile=${report}`, ...files],
    {
      cwd: copy,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  /** @type {{ testResults: { name: string, message: string, assertionResults: { fullName: string, status: string, failureMessages?: string[] }[] }[] }} */
  let found = { testResults: [] };
  try {
    found = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // If a run could not begin, it has written no report.
  }
  const all = found.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status === 'failed');
  return {
    passed: all.filter(({ status }) => status === 'passed').length,
    failed: failed.map(({ fullName }) => fullName),
    // A failure because a server does not answer, or a file does not load, does not concern the promise.
    noticed: failed.filter(({ failureMessages = [] }) => isAssertion(failureMessages.join('\n'))),
    /** Files that did not load, or of which no test ran. */
    unread: tests.filter((test) => !isRead(found.testResults, test)),
    stderr,
  };
}

/** Matches what an assertion throws. An `expect.poll` in vain has only the stack of its call, and the name Error. */
const ofAssertion = /AssertionError|Error: .*\bexpected [\s\S]*__VITEST_POLL_CHAIN__|Property failed/;

/** @param {string} message */
const isAssertion = (message) => ofAssertion.test(message);

/**
 * @param {{ name: string, assertionResults: { status: string }[] }[]} results
 * @param {string} test
 */
const isRead = (results, test) =>
  results.some(
    ({ name, assertionResults }) =>
      name.endsWith(test) && assertionResults.some(({ status }) => /passed|failed/.test(status)),
  );

/**
 * Tries one mutation. Returns the test that notices it, or a complaint.
 * @param {Mutation} mutation
 * @returns {{ noticedBy: string, complaint?: never } | { noticedBy?: never, complaint: string }}
 */
function tryMutation({ file, text, by, tests }) {
  const whole = readFileSync(join(root, file), 'utf8');
  write(
    file,
    whole.replace(text, () => by),
  );
  const { noticed, failed, unread } = run(tests);
  write(file, whole);
  const [first] = noticed;
  if (first) return { noticedBy: first.fullName };
  if (unread.length > 0) return { complaint: `did not load or run: ${unread.join(', ')}` };
  if (failed.length > 0) return { complaint: `failed, but not by an assertion: ${failed[0]}` };
  return { complaint: `not noticed by ${tests.join(', ')}` };
}

const { values, positionals: words } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
/** @type {Mutation[]} */
const all = [...mutationsOfCore, ...mutationsOfMerge, ...mutationsOfFeatures, ...mutationsOfSdk];
const chosen = all.filter(
  ({ promise, file }) => words.length === 0 || words.some((word) => `${promise} ${file}`.includes(word)),
);
/** @type {string[]} */
const complaints = chosen.length === 0 ? [`No mutation has any of these words: ${words.join(', ')}`] : [];

for (const { promise, file, text, tests } of chosen) {
  const times = readFileSync(join(root, file), 'utf8').split(text).length - 1;
  if (times !== 1) complaints.push(`${promise}: its text is in ${file} ${times} times, and must be once.`);
  for (const test of tests)
    if (!existsSync(join(root, test))) complaints.push(`${promise}: ${test} is not there.`);
}
if (complaints.length === 0 && !values.check) {
  rmSync(copy, { recursive: true, force: true });
  link(root, copy);
  const tests = [...new Set(chosen.flatMap((mutation) => mutation.tests))].sort();
  const { passed, failed, unread, stderr } = run(tests);
  if (passed === 0) complaints.push(`No test ran. ${stderr}`);
  for (const test of unread) complaints.push(`${test} has no test that runs with npm test.`);
  for (const name of failed) complaints.push(`Fails without a mutation: ${name}`);
}
if (complaints.length === 0 && !values.check) {
  for (const mutation of chosen) {
    const { noticedBy, complaint } = tryMutation(mutation);
    console.log(
      `${complaint ? `MISSED   ${mutation.promise}` : `noticed  ${mutation.promise}\n         by: ${noticedBy}`}`,
    );
    if (complaint) complaints.push(`${mutation.promise} (${mutation.file}): ${complaint}`);
  }
}
if (!values.check) {
  rmSync(copy, { recursive: true, force: true });
  console.log(`${chosen.length} mutations, ${complaints.length} complaints.`);
}
if (complaints.length > 0) console.error(complaints.join('\n'));
process.exitCode = complaints.length === 0 ? 0 : 1;
