import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderId, isSameFolder } from './folders.js';

/** A cluster's `postmaster.pid` (PostgreSQL, src/include/utils/pidfile.h). */
export interface Postmaster {
  pid: number;
  /** `starting`, `ready`, `stopping` or empty. */
  status: string;
}

/** Reads which process runs the cluster, or ran it until it was killed. Null when there is none. */
export function readPostmaster(cluster: string): Postmaster | null {
  const lines = readLockFile(cluster).split('\n');
  const pid = Number.parseInt(lines[0]!, 10);
  return pid ? { pid, status: lines[7]?.trim() ?? '' } : null;
}

/** Reads the lock file; empty when there is none. */
function readLockFile(cluster: string): string {
  try {
    return readFileSync(lockFile(cluster), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** True while a process of any user has that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * True while the process with that id is a PostgreSQL of this cluster. The id in a stale file may belong to any process
 * by now, because a restarted container uses the same small numbers again; the id in a copied folder belongs to the
 * PostgreSQL of the original.
 */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  // macOS and BSD; not run here.
  if (!existsSync('/proc/self')) return commandOf(pid).includes(cluster);
  try {
    // The working directory of every PostgreSQL process is its data directory.
    return isSameFolder(statSync(`/proc/${pid}/cwd/`, { bigint: true }), folderId(cluster));
  } catch (error) {
    // A process that has ended, and that its parent has not waited for, has no working directory: ENOENT. Linux hides
    // that of one in another user namespace (systemd's `PrivateUsers=yes`) and, in a container, that of another user.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && isPostgresOf(statSync(cluster).uid, pid);
  }
}

/**
 * Checks whether a process of our user has that id and is hidden from us: by `ProtectProc=invisible` of systemd, which hides what an
 * earlier start of a unit with `PrivateUsers=yes` has left.
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

/** True for a process of that user that is named `postgres`, and runs. */
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

/** Time after which a file without a process is no longer one that PostgreSQL is about to fill. */
const namelessForMs = 3_000;

/**
 * Removes a `postmaster.pid` that names no process, such as an empty one, which a full disk or a crash leaves: PostgreSQL
 * does not start beside it.
 */
export function removeNamelessLock(cluster: string): void {
  const found = statSync(lockFile(cluster), { throwIfNoEntry: false });
  if (found && Date.now() - found.mtimeMs > namelessForMs && readPostmaster(cluster) === null)
    rmSync(lockFile(cluster), { force: true });
}

const lockFile = (cluster: string) => join(cluster, 'postmaster.pid');
