import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderId, isSameFolder } from './folders.js';

/** A cluster's `postmaster.pid` (PostgreSQL, src/include/utils/pidfile.h). */
export interface Postmaster {
  pid: number;
  port: number;
  /** The socket folder; empty for a moment at the start, and without a socket. */
  socketFolder: string;
  /** `starting`, `ready`, `stopping` or empty. */
  status: string;
}

/** Reads which process runs the cluster, or ran it until it was killed. Null when there is none. */
export function readPostmaster(cluster: string): Postmaster | null {
  const text = read(lockFile(cluster));
  const pid = Number.parseInt(text ?? '', 10);
  if (!text || !pid) return null;
  const lines = text.split('\n').map((line) => line.trim());
  return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? '', status: lines[7] ?? '' };
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
 * True while the process with that id is a PostgreSQL of this cluster, also when the folder was moved since its start.
 * The id in a stale file may belong to any process by now, because a restarted container uses the same small numbers
 * again; the id in a copied folder belongs to the PostgreSQL of the original.
 */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    // The working directory of every PostgreSQL process is its data directory.
    if (existsSync('/proc/self')) {
      const works = folderId(`/proc/${pid}/cwd/`);
      return works ? isSameFolder(works, folderId(cluster)) : isHiddenPostgres(cluster, pid);
    }
    // macOS and BSD; not run here.
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false;
  }
}

/**
 * True for a PostgreSQL of the same user whose working directory Linux does not show because it runs in another user
 * namespace, which systemd creates with `PrivateUsers=yes`. Without this a command beside that server would wait for
 * ever.
 */
function isHiddenPostgres(cluster: string, pid: number): boolean {
  try {
    statSync(`/proc/${pid}/cwd/`);
    return false;
  } catch (error) {
    // A process that has ended, and that its parent has not waited for, has no working directory: ENOENT.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false;
  }
  try {
    const isSameUser = statSync(`/proc/${pid}`).uid === statSync(cluster).uid;
    // The name, and a state other than Z (zombie) and X (dead).
    return isSameUser && /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Removes the `postmaster.pid` of a postmaster that is gone while another process of the same user has its id:
 * PostgreSQL takes that process for a running server and does not start.
 */
export function removeStaleLock(cluster: string, stale: Postmaster): void {
  const aside = join(cluster, `postmaster.stale.${process.pid}`);
  try {
    renameSync(lockFile(cluster), aside);
    // If another process was faster and PostgreSQL runs again, this is the new file: put it back.
    const taken = Number.parseInt(read(aside) ?? '', 10);
    if (taken !== stale.pid) linkSync(aside, lockFile(cluster));
    rmSync(aside);
  } catch {
    // It is gone already; the next attempt looks again.
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

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
