import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { type Binaries, prepareBinaries } from './binaries.js';
import { endUnsupervised, isHeldByOldName } from './holder.js';
import type { Home } from './home.js';
import { makeSystemFolder } from './homeNote.js';
import { initialise, superuser } from './initCluster.js';
import { acquireLease, isSupervised, type Lease, releaseLease, send, stopWord } from './lease.js';
import { isAfterCrash, keepLog, lastComplaint, logFile } from './log.js';
import {
  isAlive,
  isPostmasterOf,
  type Postmaster,
  readPostmaster,
  removeNamelessLock,
  removeStaleLock,
} from './postmaster.js';
import { locateRunFolder, removeRunFolder } from './runFolder.js';
import { startSupervisor } from './supervisor.js';
import { watchHome } from './watchHome.js';

/** A running PostgreSQL that this process uses. */
export interface Embedded {
  /** URL for `connect`. */
  url: string;
  /** Ends the use. If nobody else uses PostgreSQL it stops, and this resolves when it has. */
  close(): Promise<void>;
}

const pollMs = 10;
/** Time that a start waits for a PostgreSQL that is ending, or for its last children. */
const stopAtMostMs = 60_000;
/** Time for the users of a moved folder to notice the move and stop. */
const noticeAtMostMs = 5_000;
/** Time after which the operator gets a notice, if the start repairs data after a crash. */
const patienceMs = 3_000;

/**
 * Joins or starts the PostgreSQL of a home, which listens on a Unix socket. Throws `DatabaseError` as `openEmbedded`
 * does.
 * @param notify called with each line for the operator
 */
export async function openBySocket(
  home: Home,
  installed: Binaries,
  notify: (line: string) => void,
): Promise<Embedded> {
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

/** Joins a running PostgreSQL. Null when it has ended or is not ready to be joined yet. */
async function join(home: Home, { socketFolder }: Postmaster, notify: (line: string) => void) {
  // PostgreSQL writes its socket folder a moment after its start.
  if (socketFolder === '') return null;
  const { runFolder, isMoved } = locateRunFolder(home, socketFolder);
  const lease = isMoved ? null : await acquireLease(runFolder);
  return lease === null ? null : whenReady(home, runFolder, lease, notify);
}

/** Starts PostgreSQL. Null when another one is starting, running or ending. */
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

  removeNamelessLock(home.cluster);
  const copies = () => (home.user ? makeSystemFolder() : home.folder);
  const binaries = prepareBinaries(installed, home.user, copies, notify);
  // Everybody who may enter the folder may connect: its mode is the guard.
  await initialise(home, binaries, ['--auth=trust']);
  const { lease, runFolder, log } = startSupervisor(home, binaries);
  const started = await whenReady(home, runFolder, lease, notify);
  const complaint = lastComplaint(log);
  // Another start was faster, or the children of a PostgreSQL that was killed are still ending.
  if (
    !started &&
    /lock file .* (?:already exists|is empty)|bogus data in lock file|shared memory block/.test(complaint)
  ) {
    rmSync(log);
    return null;
  }
  keepLog(home.folder, log);
  if (started) return started;
  throw new DatabaseError(`PostgreSQL does not start: ${complaint} (${logFile(home.folder)})`);
}

/** Waits until PostgreSQL is ready. Null, with the lease released, when it did not become ready under this supervisor. */
async function whenReady(
  home: Home,
  runFolder: string,
  lease: Lease,
  notify: (line: string) => void,
): Promise<Embedded | null> {
  const sinceMs = Date.now();
  for (let isNotified = false; !isReady(home, runFolder); await delay(pollMs)) {
    if (!isSupervised(runFolder)) {
      await releaseLease(runFolder, lease);
      return null;
    }
    if (!isNotified && Date.now() - sinceMs > patienceMs) {
      isNotified = true;
      // Without a crash the start is slow because the machine is busy.
      if (isAfterCrash(home.folder))
        notify('PostgreSQL is repairing its data after a crash; this can take minutes.');
    }
  }
  // From now on the supervisor starts PostgreSQL again if it dies.
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
  // A file that a crash left says ready too, so the process itself is checked.
  return seen?.socketFolder === runFolder && seen.status === 'ready' && isPostmasterOf(cluster, seen.pid);
}
