import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fingerprint, type Home } from './folder.js';

/** The longest socket path that every Unix takes (macOS: 104 bytes with the end) less the name of the socket. */
const socketFolderMaxBytes = 85;

/** Makes the folder for the socket and the pipe of one supervisor. */
export function makeRunFolder(home: Home): string {
  const { folder, user } = home;
  // Linux takes 107 bytes of socket path; in a deeper folder than that the socket has to live elsewhere.
  // Its name is random and its mode 0700, and others find it by postmaster.pid.
  const place =
    Buffer.byteLength(join(folder, 'run-XXXXXX')) <= socketFolderMaxBytes
      ? join(folder, 'run-')
      : `/tmp/orderbeacon-${fingerprint(folder)}-`;
  const runFolder = mkdtempSync(place);
  if (user) chownSync(runFolder, user.uid, user.gid);
  return runFolder;
}

/**
 * Where the run folder is by now that a `postmaster.pid` names, and whether PostgreSQL was started while the
 * home had another path: the run folder has moved with the home, or lies in /tmp under the other path's name.
 */
export function locateRunFolder(home: Home, named: string): { runFolder: string; isMoved: boolean } {
  const name = basename(named);
  if (name.startsWith('run-')) {
    return { runFolder: join(home.folder, name), isMoved: !isInside(home, named) };
  }
  const starter = /^orderbeacon-([0-9a-f]{16})-/.exec(name)?.[1];
  return { runFolder: named, isMoved: starter !== undefined && starter !== fingerprint(home.folder) };
}

/** The run folder's path for who works in the cluster's folder: that stays right when the home is moved. */
export function fromCluster(home: Home, runFolder: string): string {
  return isInside(home, runFolder) ? join('..', basename(runFolder)) : runFolder;
}

/** Removes what a supervisor that was killed has left. The path comes from a file, so only one of ours is touched. */
export function removeRunFolder(home: Home, runFolder: string): void {
  if (!isInside(home, runFolder) || !basename(runFolder).startsWith('run-')) return;
  rmSync(runFolder, { recursive: true, force: true });
}

const isInside = ({ folder }: Home, path: string) => dirname(path) === folder;
