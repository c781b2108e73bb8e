import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { argv, execPath } from 'node:process';
import { isFresh, root, takeStamp, workspaces, writeStamp } from './freshness.js';
import { isAlive } from './isAlive.js';

/** @import { Workspace } from './freshness.js' */

/** A build that failed; the message is all that its compiler wrote. */
export class BuildError extends Error {}

const say = (/** @type {string} */ line) => console.error(line);

/**
 * Builds the workspaces whose sources have changed since, side by side, and says so line by line. Each is built
 * in a folder of its own and then takes the place of `dist`: an interrupted build leaves `dist` as it was, and
 * no file of a deleted source stays. Throws `BuildError`.
 * @param {readonly Workspace[]} wanted
 */
export async function buildStale(wanted = workspaces) {
  const stale = wanted.filter((workspace) => !isFresh(workspace));
  const built = await Promise.allSettled(stale.map(build));
  for (const result of built) if (result.status === 'rejected') throw result.reason;
}

/** @param {Workspace} workspace */
async function build(workspace) {
  say(`Building ${workspace} …`);
  const startedMs = performance.now();
  const stamp = takeStamp(workspace);
  removeAbandoned(workspace);
  // Beside `dist`, so that the paths in the SDK's source maps are the same.
  const out = `${root}${workspace}/dist.${process.pid}`;
  mkdirSync(out);
  try {
    await { sdk: buildSdk, server: buildServer }[workspace](out);
    writeStamp(out, stamp);
    replaceFolder(`${root}${workspace}/dist`, out);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  say(`Built ${workspace} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
}

/** @param {string} out */
async function buildSdk(out) {
  await run('rollup/dist/bin/rollup', ['-c', 'rollup.config.js', '--silent'], `${root}sdk`, { OUT_DIR: out });
}

/** Files of packages that the server serves, with their licences. A copy of them spares each installation the rest. */
const servedFiles = {
  'swagger-ui-dist': [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ],
  '@picocss/pico': ['css/pico.min.css', 'LICENSE.md'],
  uplot: ['dist/uPlot.iife.min.js', 'dist/uPlot.min.css', 'LICENSE'],
};

/** The files below `server/src` that programs import. The last three are for tests with processes of their own. */
const entries = [
  'cli.ts',
  'commands/testing/startOrderbeacon.ts',
  'site/tag.ts',
  'site/openapi/document.ts',
  'commands/program.ts',
  'database/openDatabase.ts',
  'embedded/postmaster.ts',
];

/**
 * Puts the code into few files, because Node takes twice the time to load the sources' 600 one by one. Packages stay
 * outside. Checks syntax only: types are checked by `npm run typecheck` and by `npm test`.
 * @param {string} out
 */
async function buildServer(out) {
  const { build, formatMessages } = await import('esbuild');
  const source = `${root}server/src`;
  try {
    await build({
      entryPoints: entries.map((path) => `${source}/${path}`),
      outbase: source,
      outdir: out,
      tsconfig: `${root}server/tsconfig.json`,
      bundle: true,
      packages: 'external',
      splitting: true,
      // One folder deep, as `values/ownPath.ts` expects.
      chunkNames: 'code/[name]-[hash]',
      format: 'esm',
      platform: 'node',
      charset: 'utf8',
      logLevel: 'silent',
      define: { builtVersion: JSON.stringify(readVersion()) },
    });
  } catch (error) {
    const { errors } = /** @type {import('esbuild').BuildFailure} */ (error);
    throw new BuildError((await formatMessages(errors, { kind: 'error' })).join('').trim());
  }
  // What is no TypeScript, such as migrations, is read at run time from beside the code.
  cpSync(source, out, { recursive: true, filter: (path) => !/\.tsx?$/.test(path) });
  for (const [name, files] of Object.entries(servedFiles)) {
    for (const file of files)
      cpSync(`${root}node_modules/${name}/${file}`, `${out}/packages/${name}/${file}`);
  }
}

function readVersion() {
  return JSON.parse(readFileSync(`${root}server/package.json`, 'utf8')).version;
}

/**
 * @param {string} script below node_modules
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} env
 * @returns {Promise<void>}
 */
function run(script, args, cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [`${root}node_modules/${script}`, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new BuildError(output.trim()))));
  });
}

/**
 * Replaces a folder with another. Two concurrent builds may both do so; the last one stays.
 * @param {string} target
 * @param {string} replacement
 */
function replaceFolder(target, replacement) {
  const old = `${replacement}.old`;
  for (;;) {
    try {
      if (existsSync(target)) renameSync(target, old);
      renameSync(replacement, target);
      break;
    } catch (error) {
      // Another build moved the old one away, or its own into the place, between the two steps.
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
      if (!existsSync(replacement)) throw error;
    }
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

/**
 * Removes what builds that were killed have left.
 * @param {Workspace} workspace
 */
function removeAbandoned(workspace) {
  for (const name of readdirSync(root + workspace)) {
    const pid = Number(/^dist\.(\d+)/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(`${root}${workspace}/${name}`, { recursive: true, force: true });
  }
}

if (argv[1] === import.meta.filename) {
  const named = workspaces.filter((workspace) => argv.includes(workspace));
  try {
    await buildStale(named.length > 0 ? named : workspaces);
  } catch (error) {
    console.error(error instanceof BuildError ? error.message : error);
    process.exitCode = 1;
  }
}
