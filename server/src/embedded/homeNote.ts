import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseError } from '../values/errors.js';
import { makeFolder, makePrivateFolder } from './folders.js';
import type { SystemUser } from './user.js';

/*
 * As root, PostgreSQL's user may be unable to enter the data folder. Then the home lies under `/var/lib/orderbeacon`,
 * and a note in the data folder names it. A note, not a link: a copied link would make two folders share one cluster.
 */

const noteName = 'postgres-lies-in';
const systemFolder = '/var/lib/orderbeacon';

const readNote = (asked: string) => readFileSync(join(asked, noteName), 'utf8').trim();

/** True when the data folder has a note. */
export const hasNote = (asked: string) => existsSync(join(asked, noteName));

/** Returns a short name for a path. */
export function fingerprint(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

/** Creates the folder for everything that an unprivileged user has to reach, and returns its path. */
export function makeSystemFolder(): string {
  makeFolder(systemFolder);
  chmodSync(systemFolder, 0o755);
  return systemFolder;
}

/** True while the note of a data folder names this home. */
export function isNoted(asked: string, home: string): boolean {
  try {
    return readNote(asked) === home;
  } catch {
    return false;
  }
}

/** Returns the home that a note names. Throws `DatabaseError` when the data folder was copied or moved, or the home is gone. */
export function findNotedHome(asked: string): string {
  const home = readNote(asked);
  const note = join(asked, noteName);
  if (!basename(home).startsWith(fingerprint(asked))) {
    throw new DatabaseError(
      `${asked} was copied or moved, but its data lies in ${home} and belongs to the first place: move it back, or delete ${note} to start with an empty database.`,
    );
  }
  if (!existsSync(home)) {
    throw new DatabaseError(
      `The data of ${asked} should lie in ${home}, which is gone: restore it, or delete ${note} to start with an empty database.`,
    );
  }
  return home;
}

/** Creates a home under the system folder and notes it. Of two processes that do so concurrently, one note stands. */
export function makeNotedHome(asked: string, user: SystemUser): void {
  const home = join(makeSystemFolder(), `${fingerprint(asked)}-${randomBytes(6).toString('hex')}`);
  makePrivateFolder(home, user);
  const note = join(asked, noteName);
  const draft = `${note}.${process.pid}`;
  writeFileSync(draft, `${home}\n`);
  try {
    // A link appears with its content or not at all, and fails when the other process was first.
    linkSync(draft, note);
  } catch (error) {
    rmSync(home, { recursive: true });
    if (!existsSync(note)) throw error;
  } finally {
    rmSync(draft);
  }
}
