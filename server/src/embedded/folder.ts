import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseError } from '../values/errors.js';
import { noDatabase, unusable } from './folderErrors.js';
import { makeFolder } from './makeFolder.js';
import { canEnter, chooseUser, type SystemUser } from './user.js';

/** Where the embedded PostgreSQL of one asked data folder lives. */
export interface Home {
  /** The asked data folder, without links; `folder` is in it or is noted there. */
  asked: string;
  /** Mode 0700, owned by whom PostgreSQL runs as; holds everything of it. */
  folder: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** Whom PostgreSQL runs as; null is ourselves. */
  user: SystemUser | null;
}

/** Names the home, in an asked folder that PostgreSQL's user cannot enter. */
const noteName = 'postgres-lies-in';

const systemFolder = '/var/lib/orderbeacon';

/** Makes the folder for what has to lie where an unprivileged user can come, and returns its path. */
export function makeSystemFolder(): string {
  makeFolder(systemFolder);
  chmodSync(systemFolder, 0o755);
  return systemFolder;
}

/**
 * Finds or makes the home of a data folder: `postgres` inside it, or one under `/var/lib/orderbeacon` when
 * we are root and PostgreSQL's user cannot enter the asked folder. Each asked folder has a home of its own.
 * @param notify told when the data lies elsewhere than asked
 * @param creates false: throws `DatabaseError` where there is none
 */
export function findHome(dataDir: string, notify: (line: string) => void, creates = true): Home {
  try {
    if (creates) makeFolder(resolve(dataDir));
    else if (!statSync(dataDir, { throwIfNoEntry: false })) throw noDatabase(dataDir);
    const asked = realpathSync(dataDir);
    // The folder holds a note, not a link: a copied link would make two folders share one cluster.
    const note = join(asked, noteName);
    const inside = join(asked, 'postgres');
    if (existsSync(note)) return homeElsewhere(asked, note, notify);
    if (existsSync(inside)) {
      // A start as root that was killed before it gave the folder away.
      if (statSync(inside).uid === 0) makeHome(inside, chooseUser(statSync(asked).uid));
      return existingHome(asked, inside);
    }
    if (!creates) throw noDatabase(dataDir);
    const user = chooseUser(statSync(asked).uid);
    if (user && !canEnter(user, asked)) {
      noteElsewhere(asked, note, user);
      return homeElsewhere(asked, note, notify);
    }
    makeHome(inside, user);
    return existingHome(asked, inside);
  } catch (cause) {
    throw cause instanceof DatabaseError ? cause : unusable(dataDir, cause as Error);
  }
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

/** True while the asked folder still leads to this home. Says nothing of the cluster in it. */
export function leadsHome({ asked, folder }: Home): boolean {
  if (dirname(folder) === asked) return true;
  try {
    return readNote(join(asked, noteName)) === folder;
  } catch {
    return false;
  }
}

function homeElsewhere(asked: string, note: string, notify: (line: string) => void): Home {
  const folder = readNote(note);
  if (!basename(folder).startsWith(fingerprint(asked))) {
    throw new DatabaseError(
      `${asked} was copied or moved, but its data lies in ${folder} and belongs to the first place: move it back, or delete ${note} to start with an empty database.`,
    );
  }
  if (!existsSync(folder)) {
    throw new DatabaseError(
      `The data of ${asked} should lie in ${folder}, which is gone: restore it, or delete ${note} to start with an empty database.`,
    );
  }
  const home = existingHome(asked, folder);
  notify(`The data lies in ${folder}: ${home.user?.name ?? 'PostgreSQL'} cannot enter ${asked}.`);
  return home;
}

/** Makes a home under the system folder and notes it; of two processes at once, one note stands. */
function noteElsewhere(asked: string, note: string, user: SystemUser): void {
  const folder = join(makeSystemFolder(), `${fingerprint(asked)}-${randomBytes(6).toString('hex')}`);
  makeHome(folder, user);
  const draft = `${note}.${process.pid}`;
  writeFileSync(draft, `${folder}\n`);
  try {
    // A link appears with its content or not at all, and fails where the other process was first.
    linkSync(draft, note);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(note)) throw error;
  } finally {
    rmSync(draft);
  }
}

function makeHome(folder: string, user: SystemUser | null): void {
  makeFolder(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
}

const readNote = (note: string) => readFileSync(note, 'utf8').trim();

/** A short name for a path. */
export function fingerprint(asked: string): string {
  return createHash('sha256').update(asked).digest('hex').slice(0, 16);
}
