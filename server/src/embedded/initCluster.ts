import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { command } from '../values/command.js';
import { DatabaseError } from '../values/errors.js';
import type { Binaries } from './binaries.js';
import type { Home } from './home.js';
import { isAlive } from './postmaster.js';
import { identityOf } from './user.js';

/** The only role of an embedded cluster, its superuser. */
export const superuser = 'orderbeacon';

/** @returns true if the home contains a finished cluster */
export const isInitialised = ({ cluster }: Home) => existsSync(join(cluster, 'PG_VERSION'));

/** Throws `DatabaseError` if another major version of PostgreSQL created the cluster, because it cannot be opened. */
export function refuseOtherMajor(home: Home, { version }: Binaries): void {
  if (!isInitialised(home)) return;
  const made = readFileSync(join(home.cluster, 'PG_VERSION'), 'utf8').trim();
  const ours = String(Number.parseInt(version, 10));
  if (made === ours) return;
  if (!/^\d+$/.test(made)) {
    throw new DatabaseError(
      `The data in ${home.cluster} is damaged: its PG_VERSION names no version. Move ${home.dataDir} away, and bring a backup back: ${command} restore orderbeacon.gz`,
    );
  }
  throw new DatabaseError(
    `The data in ${home.cluster} was made by PostgreSQL ${made}, and this Orderbeacon brings PostgreSQL ${ours}. Nothing was changed. With the release that made it run: ${command} backup orderbeacon.gz; then move ${home.dataDir} away, and with this one run: ${command} restore orderbeacon.gz`,
  );
}

/**
 * Creates the cluster if it does not exist; otherwise makes it accessible only to its user. It is created under another name, and
 * renamed after it is complete and on the disk, so that an interrupted start does no harm. Of two concurrent starts, the second
 * one's cluster is deleted.
 * @param more further arguments for initdb
 * @throws DatabaseError if that fails
 */
export async function initialise(home: Home, binaries: Binaries, more: string[] = []): Promise<void> {
  if (isInitialised(home)) return closeToOthers(home);
  removeUnfinished(home);
  const unfinished = join(home.folder, `init-${process.pid}`);
  await runInitdb(home, binaries, [
    ...['-D', unfinished, '-U', superuser, '--encoding=UTF8', '--no-instructions'],
    // The built-in provider sorts in the same way on every system, and needs no installed locale.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    // Only its user and root can connect to the socket.
    '--auth=trust',
    ...more,
  ]);
  try {
    renameSync(unfinished, home.cluster);
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true });
    if (isInitialised(home)) return;
    throw new DatabaseError(`${home.cluster} is in the way and is no PostgreSQL data: move it away.`, {
      cause,
    });
  }
  syncFolder(home.folder);
}

/**
 * Removes the access of others to the cluster if its modes were changed. PostgreSQL refuses a cluster that its group may write or
 * others may enter, and a Kubernetes `fsGroup` opens a whole volume to its group.
 */
function closeToOthers({ cluster }: Home): void {
  if (statSync(cluster).mode & 0o027) chmodSync(cluster, 0o700);
}

/** Removes the unfinished clusters of starts that were killed. Skips those of living processes. */
function removeUnfinished({ folder }: Home): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^init-(\d+)$/.exec(name)?.[1]);
    if (!pid || (pid !== process.pid && isAlive(pid))) continue;
    // An initdb that outlived its starter may still be writing there.
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

function runInitdb({ folder, user }: Home, { native }: Binaries, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(native, 'bin', 'initdb'), args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C in a terminal goes to every foreground process. The server itself stops after initdb has ended.
      detached: true,
      ...identityOf(user),
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const fail = (reason: string) =>
      reject(new DatabaseError(`The database could not be created: ${reason}. ${fixOf(reason)}`));
    child.on('error', (error) => fail(error.message));
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const lines = complaint.trim().split('\n');
      const line = lines.find((text) => /error|fatal/i.test(text)) ?? lines.at(-1);
      fail(line || `initdb ended with code ${code}`);
    });
  });
}

/** Returns the sentence that describes how initdb would succeed. */
function fixOf(reason: string): string {
  return /effective user ID/.test(reason)
    ? 'Add that user to /etc/passwd, run as a user who is there, or set DATABASE_URL.'
    : 'Set ORDERBEACON_DATA_DIR to another folder, or set DATABASE_URL.';
}

/** Makes the rename durable. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
