import { dirname } from 'node:path';
import type { Home } from './folder.js';
import { isSupervised } from './lease.js';
import { isPostmasterOf, type Postmaster } from './postmaster.js';
import { locateRunFolder } from './runFolder.js';

/**
 * True while a PostgreSQL holds the home that was started when the home had another path: its users know that
 * path only.
 */
export function isHeldByOldName(home: Home, { pid, socketFolder }: Postmaster): boolean {
  const { runFolder, isMoved } = locateRunFolder(home, socketFolder);
  // In a copied home the pipe is a copy, too, which nobody reads; one in /tmp may be that of the original.
  const isOurs = dirname(runFolder) === home.folder || isPostmasterOf(home.cluster, pid);
  return isMoved && isOurs && isSupervised(runFolder);
}

/**
 * A postmaster whose supervisor takes no users is ending, or its supervisor was killed: then nobody would
 * ever stop it. A fast shutdown is right for the one and does nothing to the other; one whose folder was
 * moved is stopped as the supervisor does that.
 */
export function endUnsupervised(home: Home, { pid, socketFolder }: Postmaster): void {
  if (socketFolder === '') return;
  const { runFolder, isMoved } = locateRunFolder(home, socketFolder);
  if (isSupervised(runFolder)) return;
  try {
    process.kill(pid, isMoved ? 'SIGQUIT' : 'SIGINT');
  } catch {
    // Gone meanwhile.
  }
}
