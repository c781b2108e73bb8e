import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { findBinaries, prepareBinaries } from './binaries.js';
import { findHome, type Home } from './folder.js';
import { noDatabase } from './folderErrors.js';
import { initialise, isInitialised, refuseOtherMajor, superuser } from './initCluster.js';
import { lastComplaint, logFile } from './log.js';
import type { Embedded } from './open.js';
import { isAlive, readPostmaster } from './postmaster.js';
import { settingArguments } from './settings.js';

/*
 * For Windows, which has neither Unix sockets for PostgreSQL nor named pipes that a shell can read: a
 * loopback port with a password. Not run on Windows so far; its test runs it on Unix.
 */

/** Holds PostgreSQL while its standard input is open; outlives the process that started it by a moment. */
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
 * Joins the PostgreSQL that runs in the data folder, or starts one. Unlike `openEmbedded` it ends with the
 * process that started it, even while others use it.
 * @param creates false: throws `DatabaseError` where there is no database
 */
export async function openEmbeddedByPort(
  dataDir: string,
  notify: (line: string) => void,
  creates = true,
): Promise<Embedded> {
  const installed = findBinaries();
  const home = findHome(dataDir, notify, creates);
  if (!creates && !isInitialised(home)) throw noDatabase(dataDir);
  refuseOtherMajor(home, installed);
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
    // Another start was quicker, or there is a reason.
    if (child.exitCode !== null && url) return { url, close: async () => {} };
    if (child.exitCode !== null && !readPostmaster(home.cluster)) break;
  }
  throw new DatabaseError(`PostgreSQL does not start: ${lastComplaint(path)}`);

  async function stop() {
    child.stdin?.end();
    await exited;
  }
}

/** The URL of the PostgreSQL that runs there; null when none is ready. */
function urlOf(home: Home): string | null {
  const seen = readPostmaster(home.cluster);
  if (seen?.status !== 'ready' || !isAlive(seen.pid)) return null;
  const password = readFileSync(join(home.folder, 'password'), 'utf8').trim();
  return `postgres://${superuser}:${password}@127.0.0.1:${seen.port}/postgres`;
}

/** Makes the password once; of two starts at once, one file stands. */
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
