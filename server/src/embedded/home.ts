import { createHash } from 'node:crypto';
import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseError } from '../values/errors.js';
import { makeFolder, makePrivateFolder } from './folders.js';
import { canEnter, chooseUser, type SystemUser } from './user.js';

/** The folders and the user of the embedded PostgreSQL of one data folder. */
export interface Home {
  /** The data folder, with links resolved. */
  dataDir: string;
  /** The folder for everything of this PostgreSQL; mode 0700, owned by its user. */
  folder: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** The user that PostgreSQL runs as; null is the current user. */
  user: SystemUser | null;
}

const systemFolder = '/var/lib/orderbeacon';

/**
 * Finds or creates the home of a data folder: `postgres` inside it. If we are root and PostgreSQL's user cannot enter the data
 * folder, the home is under `/var/lib/orderbeacon`, named after the data folder's path.
 * @param notify called if the data is outside the data folder
 * @param creates false: throws `DatabaseError` if the home does not exist
 */
export function findHome(dataDir: string, notify: (line: string) => void, creates = true): Home {
  try {
    refuseLineBreak(existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir));
    if (creates) makeFolder(resolve(dataDir));
    else if (!statSync(dataDir, { throwIfNoEntry: false })) throw noDatabase(dataDir);
    const real = realpathSync(dataDir);
    const owner = chooseUser(statSync(real).uid);
    const inside = join(real, 'postgres');
    const outside = join(systemFolder, createHash('sha256').update(real).digest('hex').slice(0, 16));
    if (!existsSync(inside) && !existsSync(outside)) {
      if (!creates) throw noDatabase(dataDir);
      if (owner && !canEnter(owner, real)) {
        makeSystemFolder();
        makePrivateFolder(outside, owner);
      } else makePrivateFolder(inside, owner);
    }
    const folder = existsSync(inside) ? inside : outside;
    // An earlier start as root was killed before it changed the owner.
    if (statSync(folder).uid === 0) makePrivateFolder(folder, owner);
    const home = homeIn(folder, real);
    if (folder === outside)
      notify(`The data lies in ${folder}: ${home.user?.name ?? 'PostgreSQL'} cannot enter ${real}.`);
    return home;
  } catch (cause) {
    throw cause instanceof DatabaseError ? cause : unusable(dataDir, cause as Error);
  }
}

/** Creates the folder for everything that an unprivileged user has to access, and returns its path. */
export function makeSystemFolder(): string {
  makeFolder(systemFolder);
  chmodSync(systemFolder, 0o755);
  return systemFolder;
}

/** Throws `DatabaseError` for a path with a line break, because `postmaster.pid` has one value per line. */
function refuseLineBreak(path: string): void {
  if (!/[\r\n]/.test(path)) return;
  throw new DatabaseError(
    `The data folder ${JSON.stringify(path)} has a line break in its path: set ORDERBEACON_DATA_DIR to another one.`,
  );
}

/** Creates the error for a folder without a database, for commands that create no database. */
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

/**
 * Returns the home in a folder that exists.
 * @throws DatabaseError if PostgreSQL cannot run there as the folder's owner
 */
function homeIn(folder: string, dataDir: string): Home {
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
  return { dataDir, folder, cluster: join(folder, 'cluster'), user };
}
