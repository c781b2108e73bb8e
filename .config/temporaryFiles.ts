import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './isAlive.js';

const memory = '/dev/shm';
/** Three times what the tests have in use together. */
const neededBytes = 4 * 1024 ** 3;
const prefix = 'orderbeacon-run-';

/**
 * Puts temporary files of the run into memory where the system has room for them, and removes them with this process. The
 * tests create some 300 files for each of their hundreds of databases: on a disk one costs 0.16 s of CPU, here 0.02 s.
 * A `TMPDIR` that is set stays.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isUsable()) return;
  removeAbandoned();
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder);
  // As root PostgreSQL runs as another user, who has to come in.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

/** True where `/dev/shm` is large, can be written, and programs can be started from it. */
function isUsable(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === memory);
    return bavail * bsize >= neededBytes && mount !== undefined && !mount[3]!.split(',').includes('noexec');
  } catch {
    return false;
  }
}

/** Removes the files of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    if (isAlive(Number(name.slice(prefix.length)))) continue;
    rmSync(join(memory, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
