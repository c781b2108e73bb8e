import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DatabaseError } from '../values/errors.js';

/** An account of this system that PostgreSQL can run as. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Returns options for `spawn` to run a program as that user.
 * @param user null is the current user
 */
export const identityOf = (user: SystemUser | null) => (user ? { uid: user.uid, gid: user.gid } : {});

/**
 * Chooses the user for PostgreSQL if we are root, because initdb and postgres refuse root: the owner of the folder, else
 * `postgres`, else `nobody`.
 * @param ownerUid the owner of the folder that contains or will contain the data
 * @returns null if we are not root: PostgreSQL then runs as the current user
 * @throws DatabaseError if no such user exists
 */
export function chooseUser(ownerUid: number): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  // initdb looks up its user in passwd and stops if it is not listed, so the owner must be listed, too.
  const users = readPasswd();
  const found =
    users.find((user) => user.uid === ownerUid && ownerUid !== 0) ??
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody');
  if (!found) {
    throw new DatabaseError(
      'PostgreSQL does not run as root and /etc/passwd has neither postgres nor nobody: add one, run as an ordinary user, or set DATABASE_URL.',
    );
  }
  return found;
}

/** @returns true if the user can enter the folder, through all folders above it */
export function canEnter(user: SystemUser | null, folder: string): boolean {
  // Tried as that user, because modes do not show ACLs and mount options.
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', ...identityOf(user) });
  return probe.status === 0;
}

function readPasswd(): SystemUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7)
    .map(([name, , uid, gid]) => ({ name: name!, uid: Number(uid), gid: Number(gid) }));
}
