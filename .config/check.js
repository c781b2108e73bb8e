// What `npm test` looks at before the tests: style, the build and types, as far as possible side by side.
import { spawn } from 'node:child_process';
import { root } from './freshness.js';

/**
 * Runs a program of this repository; prints what it wrote when it fails.
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it succeeded
 */
async function run(script, ...args) {
  const child = spawn(process.execPath, [root + script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0 || script === '.config/build.js') process.stderr.write(output);
  return code === 0;
}

/** @param {string} project */
const types = (project) => run('node_modules/typescript/bin/tsc', '-p', project);
const lint = () => run('node_modules/@biomejs/biome/bin/biome', 'check', '.');

const first = await Promise.all([lint(), run('.config/build.js')]);
// The tests' types follow from the build's.
const isRight =
  first.every(Boolean) &&
  (await Promise.all(['.config', 'sdk/test', 'server/test', 'e2e'].map(types))).every(Boolean);

if (!isRight) {
  console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
}
