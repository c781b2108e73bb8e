import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { folderId, isSameFolder } from './folders.js';
import { findHome, type Home, noDatabase, unusable } from './home.js';
import { isInitialised, refuseOtherMajor, superuser } from './initCluster.js';
import { joinPostgres } from './joinPostgres.js';
import { isHidden, isPostmasterOf, readPostmaster } from './postmaster.js';
import type { UserSession } from './userSession.js';

/** A running PostgreSQL that this process uses. */
export interface Embedded {
  /** URL for `connect`. It stays valid if the data folder is moved. */
  url: string;
  /** PostgreSQL's data directory. */
  folder: string;
  /** Ends the use. If this was the last user, PostgreSQL stops, and this resolves after it has stopped. */
  close(): Promise<void>;
}

const stopPollMs = 5;
/** Pause before PostgreSQL is started again after it failed to start. */
const retryMs = 1_000;
/** Pause between two checks if someone else has told PostgreSQL to stop. */
const lookMs = 1_000;

/**
 * Joins the PostgreSQL that runs in the data folder, or starts one. Creates the database the first time. PostgreSQL runs until its
 * last user has closed it. If it dies before, its users start it again. If its last user was killed, it continues to run, and the
 * next user joins it.
 * @param notify called with each line for the operator
 * @param options.creates false: throws `DatabaseError` if there is no database; default: true
 * @param options.endsWithUs true: a PostgreSQL that this call starts ends with this process, however that ends, if the system
 *   supports that (Linux). It ends even if others use it, so set it only for a folder that no other process uses.
 * @throws DatabaseError if no PostgreSQL can be used
 */
export async function openEmbedded(
  dataDir: string,
  notify: (line: string) => void,
  { creates = true, endsWithUs = false } = {},
): Promise<Embedded> {
  const installed = findBinaries();
  const home = findHome(dataDir, notify, creates);
  if (!creates && !isInitialised(home)) throw noDatabase(dataDir);
  try {
    refuseOtherMajor(home, installed);
    return await use(home, (folder) => joinPostgres(home, folder, { installed, endsWithUs, notify }), notify);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unusable(dataDir, cause);
    throw cause;
  }
}

/** Makes this process a user of the home's PostgreSQL. Each time that PostgreSQL ends, does so again, until `close` is called. */
async function use(
  home: Home,
  join: (socketFolder: string) => Promise<UserSession>,
  notify: (line: string) => void,
): Promise<Embedded> {
  const handle = openSync(home.folder, 'r');
  // On Linux this path leads to the folder, however long its own path is and wherever it is moved.
  const handlePath = `/proc/${process.pid}/fd/${handle}`;
  const folder = isSameFolder(folderId(handlePath), folderId(home.folder)) ? handlePath : home.folder;
  let session: Promise<UserSession | null> = join(folder);
  await session.catch((error) => {
    closeSync(handle);
    throw error;
  });
  const id = folderId(home.cluster);
  let isClosing = false;
  const kept = keepUsing();
  const watching = watchForStop(home.cluster, () => isClosing);

  async function keepUsing(): Promise<void> {
    let complaint = '';
    for (;;) {
      const used = await session;
      if (used) await used.ended;
      else await delay(retryMs, undefined, { ref: false });
      if (isClosing) return;
      await used?.end();
      if (!isSameFolder(id, folderId(home.cluster))) return notify(lossOf(home));
      session = join(folder).catch((error: Error) => {
        if (error.message !== complaint) notify(error.message);
        complaint = error.message;
        return null;
      });
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    const used = await session;
    // A PostgreSQL that has ended has no last user.
    const isLast = await used?.leave().catch(() => false);
    if (isLast) await stop(`${folder}/cluster`);
    await used?.end();
    await kept;
    clearInterval(watching);
    closeSync(handle);
  }

  let closed: Promise<void> | undefined;
  return {
    url: `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    folder: home.cluster,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Checks regularly if SIGTERM has told PostgreSQL to stop. PostgreSQL then waits for the last connection of its users, and accepts
 * no new one. If it still waits at the second check, its connections are cut, so that it ends and its users start it again.
 */
function watchForStop(cluster: string, isClosing: () => boolean): NodeJS.Timeout {
  let stopping: number | null = null;
  return setInterval(() => {
    const seen = readPostmaster(cluster);
    const pid = seen?.status === 'stopping' ? seen.pid : null;
    const isStuck = pid !== null && pid === stopping && !isClosing();
    stopping = pid;
    if (isStuck) void stop(cluster).catch(() => {});
  }, lookMs).unref();
}

/** Stops the PostgreSQL of a cluster, and resolves after it has ended. Does not stop one that runs in another container. */
async function stop(cluster: string): Promise<void> {
  const seen = readPostmaster(cluster);
  if (!seen) return;
  // PostgreSQL runs, so a hidden process with its id is PostgreSQL.
  const runs = () => isPostmasterOf(cluster, seen.pid) || isHidden(seen.pid);
  if (!runs()) return;
  // SIGINT is the fast shutdown. Users that come now get the next PostgreSQL.
  process.kill(seen.pid, 'SIGINT');
  while (runs()) await delay(stopPollMs);
}

const lossOf = ({ dataDir }: Home) =>
  `The data folder ${dataDir} was moved, deleted or replaced while it was in use, and its PostgreSQL has ended: nothing is stored until you start again. First stop this process and put the right folder in place.`;
