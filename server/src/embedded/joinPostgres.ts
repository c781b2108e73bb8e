import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { type Binaries, prepareBinaries } from './binaries.js';
import { type Home, makeSystemFolder } from './home.js';
import { initialise } from './initCluster.js';
import { keepLog, lastComplaint, logFile } from './log.js';
import { isPostmasterOf, readPostmaster } from './postmaster.js';
import { type Starting, startPostgres } from './startPostgres.js';
import { openUserSession, type UserSession } from './userSession.js';

const pollMs = 10;
/** Time that a start waits until a PostgreSQL that is stopping has ended, or until the last processes of a killed one have. */
const stopAtMostMs = 60_000;
/** Time after which the operator gets a notice, if the start repairs data after a crash. */
const patienceMs = 3_000;

/** Matches messages of a PostgreSQL that does not start because another one runs in its folder, or processes of a killed one still do. */
const otherRuns = /lock file .* (?:already exists|is empty)|bogus data in lock file|shared memory block/;

/**
 * Becomes a user of the PostgreSQL of a home, and starts it if it does not run.
 * @param socketFolder a path to the home's folder that is short enough for a socket
 * @param options.endsWithUs true: a PostgreSQL that this call starts ends with this process, if the system supports that
 * @param options.notify called with each line for the operator
 * @throws DatabaseError if that is not possible
 */
export async function joinPostgres(
  home: Home,
  socketFolder: string,
  {
    installed,
    endsWithUs,
    notify,
  }: { installed: Binaries; endsWithUs: boolean; notify: (line: string) => void },
): Promise<UserSession> {
  let starting: (Starting & { sinceMs: number }) | null = null;
  let waitsSinceMs = performance.now();
  for (; ; await delay(pollMs)) {
    const state = await findState(home, socketFolder);
    if (typeof state === 'object') {
      if (starting && starting.pid === readPostmaster(home.cluster)?.pid) keepLog(home.folder, starting.log);
      else if (starting) rmSync(starting.log);
      return state;
    }
    if (starting?.hasEnded()) {
      refuseComplaint(home, starting.log);
      starting = null;
    }
    if (state === 'absent' && !starting) {
      const binaries = prepareBinaries(
        installed,
        home.user,
        () => (home.user ? makeSystemFolder() : home.folder),
        notify,
      );
      await initialise(home, binaries);
      starting = { ...startPostgres(home, binaries, endsWithUs), sinceMs: performance.now() };
    }
    if (starting?.isRepair && performance.now() - starting.sinceMs > patienceMs) {
      starting.isRepair = false;
      notify('PostgreSQL is repairing its data after a crash; this can take minutes.');
    }
    if (starting || state === 'starting') waitsSinceMs = performance.now();
    else if (performance.now() - waitsSinceMs > stopAtMostMs) {
      throw new DatabaseError(
        `Another PostgreSQL is in ${home.folder}, neither usable nor ending: see ${logFile(home.folder)}.`,
      );
    }
  }
}

/**
 * Finds the state of a home's PostgreSQL, and becomes its user if it is ready. `absent`: no PostgreSQL runs, or its socket does not
 * exist yet or any more. Tries the socket even if the process cannot be seen, as in another container.
 */
async function findState(
  home: Home,
  socketFolder: string,
): Promise<UserSession | 'absent' | 'starting' | 'busy'> {
  const seen = readPostmaster(home.cluster);
  const isSeen = seen !== null && isPostmasterOf(home.cluster, seen.pid);
  if (isSeen && seen.status === 'starting') return 'starting';
  const session = await openUserSession(socketFolder);
  if (typeof session === 'object') return session;
  if (session === 'busy') return seen?.status === 'starting' ? 'starting' : 'busy';
  return isSeen ? 'busy' : 'absent';
}

/** Throws the reason why a start ended. If it ended because of another PostgreSQL, it only removes the log. */
function refuseComplaint(home: Home, log: string): void {
  const complaint = lastComplaint(log);
  if (otherRuns.test(complaint)) {
    rmSync(log);
    return;
  }
  keepLog(home.folder, log);
  throw new DatabaseError(`PostgreSQL does not start: ${complaint} (${logFile(home.folder)})`);
}
