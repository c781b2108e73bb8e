import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseError } from '../values/errors.js';
import { makeFolder, makePrivateFolder } from './folders.js';
import { findNotedHome, hasNote, isNoted, makeNotedHome } from './homeNote.js';
import { canEnter, chooseUser, type SystemUser } from './user.js';

/** Place of the embedded PostgreSQL of one data folder. */
export interface Home {
  /** The data folder as it was asked for, without links; `folder` is in it or is noted there. */
  asked: string;
  /** The folder for everything of this PostgreSQL; mode 0700, owned by its user. */
  folder: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** The user that PostgreSQL runs as; null is ourselves. */
  user: SystemUser | null;
}

/**
 * Finds or creates the home of a data folder: `postgres` inside it, or one under `/var/lib/orderbeacon` when we are root
 * and PostgreSQL's user cannot enter the data folder. Each data folder has a home of its own.
 * @param notify called when the data lies elsewhere than asked for
 * @param creates false: throws `DatabaseError` when there is none
 */
export function findHome(dataDir: string, notify: (line: string) => void, creates = true): Home {
  try {
    refuseLineBreak(existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir));
    if (creates) makeFolder(resolve(dataDir));
    else if (!statSync(dataDir, { throwIfNoEntry: false })) throw noDatabase(dataDir);
    const asked = realpathSync(dataDir);
    const inside = join(asked, 'postgres');
    if (hasNote(asked)) return homeElsewhere(asked, notify);
    if (existsSync(inside)) {
      // A start as root was killed before it gave the folder away.
      if (statSync(inside).uid === 0) makePrivateFolder(inside, chooseUser(statSync(asked).uid));
      return existingHome(asked, inside);
    }
    if (!creates) throw noDatabase(dataDir);
    const user = chooseUser(statSync(asked).uid);
    if (user && !canEnter(user, asked)) {
      makeNotedHome(asked, user);
      return homeElsewhere(asked, notify);
    }
    makePrivateFolder(inside, user);
    return existingHome(asked, inside);
  } catch (cause) {
    throw cause instanceof DatabaseError ? cause : unusable(dataDir, cause as Error);
  }
}

/** Throws `DatabaseError` for a path that `postmaster.pid`, a file of lines, cannot name. */
function refuseLineBreak(path: string): void {
  if (!/[\r\n]/.test(path)) return;
  throw new DatabaseError(
    `The data folder ${JSON.stringify(path)} has a line break in its path: set ORDERBEACON_DATA_DIR to another one.`,
  );
}

/** True while the data folder still leads to this home. Says nothing about the cluster in it. */
export function leadsHome({ asked, folder }: Home): boolean {
  return dirname(folder) === asked || isNoted(asked, folder);
}

/** Creates the error for a folder without a database, for commands that create none. */
export function noDatabase(dataDir: string): DatabaseError {
  return new DatabaseError(
    `There is no database in ${resolve(dataDir)}: start the server there once (npm start), or give the ORDERBEACON_DATA_DIR or DATABASE_URL that the server has.`,
  );
}

/** Creates the error for a folder that the system does not let us use. */
export function unusable(dataDir: string, cause: Error): DatabaseError {
  return new DatabaseError(
    `The data folder ${resolve(dataDir)} cannot be used: ${cause.message}. Choose a folder that can be written: set ORDERBEACON_DATA_DIR.`,
    { cause },
  );
}

function homeElsewhere(asked: string, notify: (line: string) => void): Home {
  const home = existingHome(asked, findNotedHome(asked));
  notify(`The data lies in ${home.folder}: ${home.user?.name ?? 'PostgreSQL'} cannot enter ${asked}.`);
  return home;
}

function existingHome(asked: string, folder: string): Home {
  const owner = statSync(folder).uid;
  const user = chooseUser(owner);
  const self = process.getuid?.();
  if (self !== undefined && self !== 0 && self !== owner) {
    throw new DatabaseError(
      `The data in ${folder} belongs to the user with id ${owner}: run as that user, or choose another ORDERBEACON_DATA_DIR.`,
    );
  }
  if (user && !canEnter(user, folder)) {
    throw new DatabaseError(
      `PostgreSQL would run as ${user.name}, who cannot enter ${folder}: let ${user.name} pass the folders above it, or choose another ORDERBEACON_DATA_DIR.`,
    );
  }
  return { asked, folder, cluster: join(folder, 'cluster'), user };
}
