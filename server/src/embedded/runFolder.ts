import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Home } from './home.js';
import { fingerprint } from './homeNote.js';

/** The longest socket path that every Unix takes (macOS: 104 bytes with the end) less the name of the socket. */
const socketFolderMaxBytes = 85;

/** Creates the folder for the socket and the pipe of one supervisor. */
export function makeRunFolder(home: Home): string {
  const { folder, user } = home;
  // A socket path may have 107 bytes on Linux; the socket of a deeper home lies in /tmp. That folder has a random name
  // and mode 0700, and others find it by postmaster.pid.
  const place =
    Buffer.byteLength(join(folder, 'run-XXXXXX')) <= socketFolderMaxBytes
      ? join(folder, 'run-')
      : `/tmp/orderbeacon-${fingerprint(folder)}-`;
  const runFolder = mkdtempSync(place);
  if (user) chownSync(runFolder, user.uid, user.gid);
  return runFolder;
}

/**
 * Finds the run folder that a `postmaster.pid` names. `isMoved`: PostgreSQL was started while the home had another path.
 * Then the run folder has moved with the home, or lies in /tmp under the fingerprint of the other path.
 */
export function locateRunFolder(home: Home, named: string): { runFolder: string; isMoved: boolean } {
  const name = basename(named);
  if (name.startsWith('run-')) {
    return { runFolder: join(home.folder, name), isMoved: !isInside(home, named) };
  }
  const starter = /^orderbeacon-([0-9a-f]{16})-/.exec(name)?.[1];
  return { runFolder: named, isMoved: starter !== undefined && starter !== fingerprint(home.folder) };
}

/** Returns the run folder's path from the cluster's folder, which stays right when the home is moved. */
export function fromCluster(home: Home, runFolder: string): string {
  return isInside(home, runFolder) ? join('..', basename(runFolder)) : runFolder;
}

/** Removes the run folder of a supervisor that was killed. The path comes from a file, so it must be inside the home. */
export function removeRunFolder(home: Home, runFolder: string): void {
  if (!isInside(home, runFolder) || !basename(runFolder).startsWith('run-')) return;
  rmSync(runFolder, { recursive: true, force: true });
}

const isInside = ({ folder }: Home, path: string) => dirname(path) === folder;
