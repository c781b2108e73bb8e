import { dirname } from 'node:path';
import type { Home } from './home.js';
import { isSupervised } from './lease.js';
import { isPostmasterOf, type Postmaster } from './postmaster.js';
import { locateRunFolder } from './runFolder.js';

/** True while the home is held by a PostgreSQL that was started under another path; its users know only that path. */
export function isHeldByOldName(home: Home, { pid, socketFolder }: Postmaster): boolean {
  const { runFolder, isMoved } = locateRunFolder(home, socketFolder);
  // In a copied home the pipe is a copy too, which nobody reads; a pipe in /tmp may be that of the original.
  const isOurs = dirname(runFolder) === home.folder || isPostmasterOf(home.cluster, pid);
  return isMoved && isOurs && isSupervised(runFolder);
}

/**
 * Stops a postmaster without a supervisor. Either it is ending already, and a fast shutdown changes nothing; or its
 * supervisor was killed, and nobody else would ever stop it. If its folder was moved it gets SIGQUIT, as from the
 * supervisor.
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
