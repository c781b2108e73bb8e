// `npm run dev`: serves, and starts again on each change of the server's or the SDK's sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { BuildError, buildStale } from './build.js';
import { root } from './freshness.js';
import { compiler } from './typecheck.js';

/** An editor writes a file in several steps, and a checkout many files: they are one change. */
const settleMs = 100;

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
let isEnding = false;

/** Builds the SDK if it changed, and starts the server from its sources in place of the one that runs. */
async function restart() {
  try {
    await buildStale(['sdk']);
  } catch (error) {
    // The server goes on with the SDK that it has; the next change tries again.
    console.error(error instanceof BuildError ? error.message : error);
    return;
  }
  await stop();
  if (isEnding) return;
  server = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import',
      'tsx',
      `${root}server/src/cli.ts`,
      'serve',
      ...process.argv.slice(2),
    ],
    // tsx looks for the settings of JSX in the working directory else.
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TSX_TSCONFIG_PATH: `${root}server/tsconfig.json` },
    },
  );
  server.once('exit', (code) => {
    if (code) console.error(`The server ended with ${code}; it starts again on the next change.`);
  });
}

async function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

/** Restarts take turns, and changes during one make one more. */
let turn = Promise.resolve();
/** @type {NodeJS.Timeout | undefined} */
let timer;
/** @type {Set<string>} */
const changed = new Set();
function change() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (changed.size > 0) console.error(`Changed: ${[...changed].join(', ')}`);
    changed.clear();
    turn = turn.then(restart);
  }, settleMs);
}

const watchers = ['sdk/src', 'server/src'].map((folder) =>
  watch(root + folder, { recursive: true }, (_, name) => {
    changed.add(`${folder}/${name}`);
    change();
  }),
);

// Types are checked concurrently: the server starts immediately, and type errors are printed later.
const checker = spawn(
  process.execPath,
  [compiler, '-p', 'server', '--noEmit', '--watch', '--preserveWatchOutput'],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    isEnding = true;
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    checker.kill();
    void turn.then(stop);
  });
}

change();
