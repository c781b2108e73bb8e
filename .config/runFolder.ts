import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Shell script that removes a folder when standard input ends. Processes that use it end then, too, and may write for a moment. */
const remover =
  'cat >/dev/null; for n in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0"; sleep 1; [ -e "$0" ] || exit; done';

/**
 * Makes the folder for all temporary files of a run, and sets `TMPDIR` to it. It is removed when this process ends, even if the
 * process is killed.
 */
export function makeRunFolder(): void {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? findMemory() ?? tmpdir(), 'orderbeacon-run-'));
  // If this is root, PostgreSQL runs as another user, who needs access.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // In a separate session, it outlives the Ctrl-C that ends the run.
  const child = spawn('/bin/sh', ['-c', remover, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  (child.stdin as Socket).unref();
}

/**
 * Finds a file system in memory. Hundreds of test databases have some 300 files each. On a disk a database costs 0.16 s of CPU,
 * in memory 0.02 s. Programs cannot be started from a file system that is mounted with `noexec`.
 */
function findMemory(): string | null {
  const path = '/dev/shm';
  if (!existsSync(path) || / \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8')))
    return null;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= 4 * 1024 ** 3 ? path : null;
}
