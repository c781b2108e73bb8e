import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { type Binaries, findBinaries, prepareBinaries } from './binaries.js';
import { findHome, type Home, makeSystemFolder } from './folder.js';
import { noDatabase, unusable } from './folderErrors.js';
import { endUnsupervised, isHeldByOldName } from './holder.js';
import { initialise, isInitialised, refuseOtherMajor, superuser } from './initCluster.js';
import { isSupervised, type Lease, releaseLease, send, stopWord, takeLease } from './lease.js';
import { isAfterCrash, keepLog, lastComplaint, logFile } from './log.js';
import { isAlive, isPostmasterOf, type Postmaster, readPostmaster, removeStaleLock } from './postmaster.js';
import { locateRunFolder, removeRunFolder } from './runFolder.js';
import { startSupervisor } from './supervisor.js';
import { watchHome } from './watchHome.js';

/** A running PostgreSQL that this process is a user of. */
export interface Embedded {
  /** Its URL; `connect` takes it. */
  url: string;
  /** Gives it up. If nobody else uses it PostgreSQL stops, and this resolves when it has. */
  close(): Promise<void>;
}

const pollMs = 10;
/** How long a PostgreSQL that is ending, or its last children, may stand in the way of a start. */
const stopAtMostMs = 60_000;
/** How long the users of a folder that was moved may take to notice and let go. */
const noticeAtMostMs = 5_000;
/** The operator of a start that takes longer than this is told why, when it repairs what a crash left. */
const patienceMs = 3_000;

/**
 * Joins the PostgreSQL that runs in the data folder, or starts one, creating the database the first time.
 * It lives until its last user has closed it or has died in whatever way, or until its folder is moved,
 * deleted or replaced. Throws `DatabaseError` when it cannot be had, and when a PostgreSQL still holds the
 * folder that was started while this had another path.
 * @param notify told what an operator should know, a line at a time
 * @param creates false: throws `DatabaseError` where there is no database
 */
export async function openEmbedded(
  dataDir: string,
  notify: (line: string) => void,
  creates = true,
): Promise<Embedded> {
  const installed = findBinaries();
  const home = findHome(dataDir, notify, creates);
  if (!creates && !isInitialised(home)) throw noDatabase(dataDir);
  try {
    return await openHome(home, installed, notify);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unusable(dataDir, cause);
    throw cause;
  }
}

async function openHome(home: Home, installed: Binaries, notify: (line: string) => void): Promise<Embedded> {
  refuseOtherMajor(home, installed);
  const sinceMs = performance.now();
  for (let forMs = 0; forMs < stopAtMostMs; forMs = performance.now() - sinceMs) {
    const seen = readPostmaster(home.cluster);
    if (seen && forMs > noticeAtMostMs && isHeldByOldName(home, seen)) {
      throw new DatabaseError(
        `The data in ${home.folder} is in use by a server that was started before it was moved there (its PostgreSQL is process ${seen.pid}): stop that server, and start again.`,
      );
    }
    const opened = (seen && (await join(home, seen, notify))) ?? (await startUnless(home, installed, notify));
    if (opened) return opened;
    await delay(pollMs);
  }
  throw new DatabaseError(
    `Another PostgreSQL is in ${home.folder}, neither usable nor ending: see ${logFile(home.folder)}.`,
  );
}

/** Null when there is nothing to join, by now or yet. */
async function join(home: Home, { socketFolder }: Postmaster, notify: (line: string) => void) {
  // For a moment at its start PostgreSQL has not written its socket folder yet.
  if (socketFolder === '') return null;
  const { runFolder, isMoved } = locateRunFolder(home, socketFolder);
  const lease = isMoved ? null : await takeLease(runFolder);
  return lease === null ? null : whenReady(home, runFolder, lease, notify);
}

/** Null when another one is starting, running or ending. */
async function startUnless(home: Home, installed: Binaries, notify: (line: string) => void) {
  const seen = readPostmaster(home.cluster);
  if (seen && isHeldByOldName(home, seen)) return null;
  if (seen && isPostmasterOf(home.cluster, seen.pid)) {
    endUnsupervised(home, seen);
    return null;
  }
  if (seen) {
    if (isAlive(seen.pid)) removeStaleLock(home.cluster, seen);
    removeRunFolder(home, locateRunFolder(home, seen.socketFolder).runFolder);
  }

  const copies = () => (home.user ? makeSystemFolder() : home.folder);
  const binaries = prepareBinaries(installed, home.user, copies, notify);
  // Whoever may enter the folder may connect: its mode is the guard.
  await initialise(home, binaries, ['--auth=trust']);
  const { lease, runFolder, log } = startSupervisor(home, binaries);
  const started = await whenReady(home, runFolder, lease, notify);
  const complaint = lastComplaint(log);
  // Another start was quicker, or the children of a PostgreSQL that was killed are still ending.
  if (!started && /lock file .* already exists|shared memory block/.test(complaint)) {
    rmSync(log);
    return null;
  }
  keepLog(home.folder, log);
  if (started) return started;
  throw new DatabaseError(`PostgreSQL does not start: ${complaint} (${logFile(home.folder)})`);
}

/** Null, with the lease released, when PostgreSQL did not become ready under this supervisor. */
async function whenReady(
  home: Home,
  runFolder: string,
  lease: Lease,
  notify: (line: string) => void,
): Promise<Embedded | null> {
  const sinceMs = Date.now();
  for (let told = false; !isReady(home, runFolder); await delay(pollMs)) {
    if (!isSupervised(runFolder)) {
      await releaseLease(runFolder, lease);
      return null;
    }
    if (!told && Date.now() - sinceMs > patienceMs) {
      told = true;
      // A busy machine is slow without a crash.
      if (isAfterCrash(home.folder))
        notify('PostgreSQL is repairing its data after a crash; this can take minutes.');
    }
  }
  // From here on the supervisor starts PostgreSQL again if it dies.
  send(lease, 'up');
  const stopWatching = watchHome(home, () => {
    notify(
      `The data folder ${home.asked} was moved, deleted or replaced while it was in use: its PostgreSQL is stopped, and nothing is stored until you start again. First stop this process and put the right folder in place.`,
    );
    send(lease, stopWord);
  });
  let closed: Promise<void> | undefined;
  return {
    url: `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(runFolder)}`,
    close() {
      stopWatching();
      closed ??= releaseLease(runFolder, lease);
      return closed;
    },
  };
}

function isReady({ cluster }: Home, runFolder: string): boolean {
  const seen = readPostmaster(cluster);
  // A file that a crash left says ready too, so the process itself is looked at.
  return seen?.socketFolder === runFolder && seen.status === 'ready' && isPostmasterOf(cluster, seen.pid);
}
