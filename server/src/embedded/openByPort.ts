import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { type Binaries, prepareBinaries } from './binaries.js';
import type { Home } from './home.js';
import { initialise, superuser } from './initCluster.js';
import { lastComplaint, logFile } from './log.js';
import type { Embedded } from './openBySocket.js';
import { isAlive, readPostmaster } from './postmaster.js';
import { settingArguments } from './settings.js';

/*
 * For Windows, where PostgreSQL has no Unix sockets and a shell cannot read named pipes: a loopback port with a
 * password. Not run on Windows so far; its test runs it on Unix.
 */

/** Program that runs PostgreSQL while its standard input is open, and stops it when its starter has ended. */
const keeper = `
const { execFileSync, spawn } = require('node:child_process');
const [pgCtl, cluster, postgres, ...args] = process.argv.slice(1);
const child = spawn(postgres, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
child.on('exit', () => process.exit());
process.stdin.resume().on('end', () => execFileSync(pgCtl, ['stop', '-D', cluster, '-m', 'fast'], { stdio: 'ignore' }));
`;

const pollMs = 20;
const startAtMostMs = 60_000;

/**
 * Joins or starts the PostgreSQL of a home, which listens on a loopback port. It ends with the process that started it,
 * even while others use it. Throws `DatabaseError` when it does not start.
 * @param notify called with each line for the operator
 */
export async function openByPort(
  home: Home,
  installed: Binaries,
  notify: (line: string) => void,
): Promise<Embedded> {
  const running = urlOf(home);
  if (running) return { url: running, close: async () => {} };

  const { native } = prepareBinaries(installed, null, () => home.folder, notify);
  const passwordFile = passwordIn(home);
  await initialise(home, { ...installed, native }, ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]);
  const settings = settingArguments({
    listen_addresses: '127.0.0.1',
    port: String(await freePort()),
    unix_socket_directories: '',
  });
  const path = logFile(home.folder);
  const log = openSync(path, 'w');
  const program = (name: string) => join(native, 'bin', name);
  const child = spawn(
    process.execPath,
    ['-e', keeper, program('pg_ctl'), home.cluster, program('postgres'), '-D', home.cluster, ...settings],
    { stdio: ['pipe', log, log], detached: true, windowsHide: true },
  );
  closeSync(log);
  const exited = once(child, 'exit');
  child.unref();

  for (const endMs = Date.now() + startAtMostMs; Date.now() < endMs; await delay(pollMs)) {
    const url = urlOf(home);
    if (url && child.exitCode === null) return { url, close: () => stop() };
    // Another start was faster, or the log has the reason.
    if (child.exitCode !== null && url) return { url, close: async () => {} };
    if (child.exitCode !== null && !readPostmaster(home.cluster)) break;
  }
  throw new DatabaseError(`PostgreSQL does not start: ${lastComplaint(path)}`);

  async function stop() {
    // Otherwise a process with nothing else to do ends before PostgreSQL has stopped.
    child.ref();
    child.stdin?.end();
    await exited;
  }
}

/** Returns the URL of the PostgreSQL that runs in the home; null when none is ready. */
function urlOf(home: Home): string | null {
  const seen = readPostmaster(home.cluster);
  if (seen?.status !== 'ready' || !isAlive(seen.pid)) return null;
  const password = readFileSync(join(home.folder, 'password'), 'utf8').trim();
  return `postgres://${superuser}:${password}@127.0.0.1:${seen.port}/postgres`;
}

/** Creates the password once, and returns its file's path. Of two concurrent starts one file stands. */
function passwordIn({ folder }: Home): string {
  const path = join(folder, 'password');
  try {
    writeFileSync(path, `${randomBytes(24).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return path;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
