import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderId, isSameFolder } from './folders.js';

/** The content of a cluster's `postmaster.pid` (PostgreSQL, src/include/utils/pidfile.h). */
export interface Postmaster {
  pid: number;
  /** `starting`, `ready`, `stopping` or empty. */
  status: string;
}

/** Reads the process that runs the cluster, or that ran it until it was killed; null if the file names no process. */
export function readPostmaster(cluster: string): Postmaster | null {
  const lines = readLockFile(cluster).split('\n');
  const pid = Number.parseInt(lines[0]!, 10);
  return pid ? { pid, status: lines[7]?.trim() ?? '' } : null;
}

/** Reads the lock file; empty if it does not exist. */
function readLockFile(cluster: string): string {
  try {
    return readFileSync(lockFile(cluster), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** @returns true if a process of any user has that id */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * @returns true if the process with that id is a PostgreSQL of this cluster. The id in a stale file may belong to another process
 *   by now, because a restarted container reuses the same small numbers. The id in a copied folder belongs to the PostgreSQL of the
 *   original.
 */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  // macOS and BSD. The tests do not run on them.
  if (!existsSync('/proc/self')) return commandOf(pid).includes(cluster);
  try {
    // The working directory of every PostgreSQL process is its data directory.
    return isSameFolder(statSync(`/proc/${pid}/cwd/`, { bigint: true }), folderId(cluster));
  } catch (error) {
    // ENOENT: the process has ended, but its parent has not waited for it. EACCES: Linux hides the directory of a process in
    // another user namespace (systemd's `PrivateUsers=yes`) and, in a container, that of another user.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && isPostgresOf(statSync(cluster).uid, pid);
  }
}

/**
 * @returns true if a process of our user has that id and is hidden from us. `ProtectProc=invisible` of systemd hides what an
 * earlier start of a unit with `PrivateUsers=yes` has left
 */
export function isHidden(pid: number): boolean {
  if (!existsSync('/proc/self') || existsSync(`/proc/${pid}`)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @returns true for a running process of that user that is named `postgres` */
function isPostgresOf(uid: number, pid: number): boolean {
  try {
    // The name, and a state other than Z (zombie) and X (dead).
    const isRunning = /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return isRunning && statSync(`/proc/${pid}`).uid === uid;
  } catch {
    return false;
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Age from which a file without a process id counts as stale. A newer one may be about to be filled by PostgreSQL. */
const namelessForMs = 3_000;

/**
 * Removes a `postmaster.pid` without a process id, because PostgreSQL does not start if it exists. A full disk or a crash leaves
 * such a file, for example an empty one.
 */
export function removeNamelessLock(cluster: string): void {
  const found = statSync(lockFile(cluster), { throwIfNoEntry: false });
  if (found && Date.now() - found.mtimeMs > namelessForMs && readPostmaster(cluster) === null)
    rmSync(lockFile(cluster), { force: true });
}

const lockFile = (cluster: string) => join(cluster, 'postmaster.pid');
