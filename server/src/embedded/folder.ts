import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseError } from '../errors.js';
import { canEnter, chooseUser, type SystemUser } from './user.js';

/** Where the embedded PostgreSQL of one asked data folder lives. */
export interface Home {
  /** Mode 0700, owned by whom PostgreSQL runs as; holds everything of it. */
  folder: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** Whom PostgreSQL runs as; null is ourselves. */
  user: SystemUser | null;
}

const systemFolder = '/var/lib/orderbeacon';

/** Makes the folder for what has to lie where an unprivileged user can come, and returns its path. */
export function makeSystemFolder(): string {
  mkdirSync(systemFolder, { recursive: true });
  chmodSync(systemFolder, 0o755);
  return systemFolder;
}

/**
 * Finds or makes the home of a data folder: `postgres` inside it, or one under `/var/lib/orderbeacon` when
 * we are root and PostgreSQL's user cannot enter the asked folder. Each asked folder has a home of its own.
 * @param notify told when the data lies elsewhere than asked
 */
export function findHome(dataDir: string, notify: (line: string) => void): Home {
  try {
    mkdirSync(dataDir, { recursive: true });
    const asked = realpathSync(dataDir);
    // The folder holds a note, not a link: a copied link would make two folders share one cluster.
    const note = join(asked, 'postgres-lies-in');
    const inside = join(asked, 'postgres');
    if (existsSync(note)) return homeElsewhere(asked, note, notify);
    if (existsSync(inside)) {
      // A start as root that was killed before it gave the folder away.
      if (statSync(inside).uid === 0) makeHome(inside, chooseUser(statSync(asked).uid));
      return existingHome(inside);
    }
    const user = chooseUser(statSync(asked).uid);
    if (user && !canEnter(user, asked)) {
      noteElsewhere(asked, note, user);
      return homeElsewhere(asked, note, notify);
    }
    makeHome(inside, user);
    return existingHome(inside);
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause;
    throw new DatabaseError(`The data folder ${dataDir} cannot be used: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

function existingHome(folder: string): Home {
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
  return { folder, cluster: join(folder, 'cluster'), user };
}

function homeElsewhere(asked: string, note: string, notify: (line: string) => void): Home {
  const folder = readFileSync(note, 'utf8').trim();
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
  const home = existingHome(folder);
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
}

function fingerprint(asked: string): string {
  return createHash('sha256').update(asked).digest('hex').slice(0, 16);
}
