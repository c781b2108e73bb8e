import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { isAlive } from './postmaster.js';

/*
 * Every process that uses an embedded PostgreSQL holds the write end of one named pipe; the supervisor reads it. The
 * kernel closes the ends of a process that ends in whatever way, including kill -9, so end of file means that the last
 * user is gone.
 */

/** An open write end; closing it releases the lease. */
export type Lease = number;

const pipeIn = (runFolder: string) => join(runFolder, 'users');
const pollMs = 5;
/** Time for a supervisor to answer: on a busy machine it takes a second, on a full disk for ever. */
const answerAtMostMs = 30_000;

/** Word that makes the supervisor stop PostgreSQL even while others use it. */
export const stopWord = 'stop';

/** Opens the pipe without waiting. Null when no supervisor reads it. */
function open(runFolder: string): Lease | null {
  try {
    return openSync(pipeIn(runFolder), constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENXIO' || code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Opens both ends of a new pipe: the first user's lease, and the supervisor's standard input. */
export function openBothEnds(runFolder: string): { lease: Lease; reader: number } {
  // A write end opens only where somebody reads, and a blocking read end only where somebody writes.
  const opener = openSync(pipeIn(runFolder), constants.O_RDONLY | constants.O_NONBLOCK);
  const lease = openSync(pipeIn(runFolder), constants.O_WRONLY | constants.O_NONBLOCK);
  const reader = openSync(pipeIn(runFolder), constants.O_RDONLY);
  closeSync(opener);
  return { lease, reader };
}

/**
 * Joins the users of a running supervisor. Null when it is stopping or gone. An open pipe alone proves nothing, because
 * the supervisor may have seen its end just before. So this writes a name, and only a reader that has not seen the
 * end answers, by a file of that name. Throws `DatabaseError` when no answer comes.
 */
export async function acquireLease(runFolder: string): Promise<Lease | null> {
  const lease = open(runFolder);
  if (lease === null) return null;
  const name = randomBytes(8).toString('hex');
  const answer = join(runFolder, name);
  for (const endMs = performance.now() + answerAtMostMs; performance.now() < endMs; ) {
    if (!send(lease, name)) {
      closeSync(lease);
      return null;
    }
    await delay(pollMs);
    if (existsSync(answer)) {
      rmSync(answer, { force: true });
      return lease;
    }
  }
  closeSync(lease);
  throw new DatabaseError(
    `The PostgreSQL that runs in ${dirname(runFolder)} does not answer: is there room on its disk?`,
  );
}

/** Writes a word to the supervisor. False when it has stopped reading. */
export function send(lease: Lease, word: string): boolean {
  try {
    writeSync(lease, `${word}\n`);
    return true;
  } catch (error) {
    // A full pipe means that the supervisor is slow, not that it is gone.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  }
}

/** True while a supervisor reads the pipe. */
export function isSupervised(runFolder: string): boolean {
  const probe = open(runFolder);
  if (probe === null) return false;
  closeSync(probe);
  return true;
}

/** Closes a lease. If it was the last one, resolves when the supervisor has stopped PostgreSQL and removed its folder. */
export async function releaseLease(runFolder: string, lease: Lease): Promise<void> {
  closeSync(lease);
  if (isLeasedByOthers(runFolder)) return;
  // The supervisor removes its folder at the very end; a supervisor that was killed leaves it.
  while (existsSync(runFolder) && isAlive(supervisorOf(runFolder))) await delay(pollMs);
}

/** True while others hold a lease: reading an empty pipe says "try again" if it has a writer, else end of file. */
function isLeasedByOthers(runFolder: string): boolean {
  try {
    const probe = openSync(pipeIn(runFolder), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      // A byte that is read here belongs to a name, which its writer repeats.
      return readSync(probe, Buffer.alloc(1)) > 0;
    } finally {
      closeSync(probe);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  }
}

function supervisorOf(runFolder: string): number {
  try {
    return Number.parseInt(readFileSync(join(runFolder, 'supervisor'), 'utf8'), 10);
  } catch {
    return Number.NaN;
  }
}
