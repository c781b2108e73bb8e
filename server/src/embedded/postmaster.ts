import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderId, isSameFolder } from './sameFolder.js';

/** What a cluster's `postmaster.pid` says (PostgreSQL, src/include/utils/pidfile.h). */
export interface Postmaster {
  pid: number;
  port: number;
  /** The socket folder; empty for a moment at the start, and where it listens on no socket. */
  socketFolder: string;
  /** `starting`, `ready`, `stopping` or empty. */
  status: string;
}

/** Reads who runs the cluster, or ran it and was killed. Null when nobody does. */
export function readPostmaster(cluster: string): Postmaster | null {
  const text = read(lockFile(cluster));
  const pid = Number.parseInt(text ?? '', 10);
  if (!text || !pid) return null;
  const lines = text.split('\n').map((line) => line.trim());
  return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? '', status: lines[7] ?? '' };
}

/** True while a process has that id, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * True while the process with that id is a PostgreSQL of this cluster, also where the folder was moved since it
 * started. A number in a stale file may belong to anybody by now: in a restarted container the same small numbers
 * come again; and one in a copied folder belongs to the PostgreSQL of the original.
 */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    // Every process of PostgreSQL works in its data directory.
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
 * True for a PostgreSQL of the same user whose working directory Linux does not show, as it lives in another user
 * namespace: systemd makes one with `PrivateUsers=yes`. A command beside that server would wait for ever.
 */
function isHiddenPostgres(cluster: string, pid: number): boolean {
  try {
    statSync(`/proc/${pid}/cwd/`);
    return false;
  } catch (error) {
    // One that has ended, and that nobody has waited for, has no working directory: ENOENT.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false;
  }
  try {
    const isSameUser = statSync(`/proc/${pid}`).uid === statSync(cluster).uid;
    // Its name, and a state that is not Z, for ended.
    return isSameUser && /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Takes away the `postmaster.pid` of a postmaster that is gone while its number is in use by another
 * process of the same user: PostgreSQL itself takes that for a running server and does not start.
 */
export function removeStaleLock(cluster: string, stale: Postmaster): void {
  const aside = join(cluster, `postmaster.stale.${process.pid}`);
  try {
    renameSync(lockFile(cluster), aside);
    // If another process was quicker and PostgreSQL runs again, what was taken is its file: give it back.
    const taken = Number.parseInt(read(aside) ?? '', 10);
    if (taken !== stale.pid) linkSync(aside, lockFile(cluster));
    rmSync(aside);
  } catch {
    // It is gone already; the next start finds out.
  }
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
