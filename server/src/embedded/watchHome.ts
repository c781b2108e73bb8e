import { type Home, leadsHome } from './folder.js';
import { folderId, isSameFolder } from './sameFolder.js';

const lookMs = 1000;

/**
 * Calls back once, at most a second later, when the asked folder no longer leads to this cluster: it was moved,
 * deleted or replaced. A folder that is in use keeps its number, so no new one can be taken for it. Does not
 * keep the process. Returns what ends it.
 */
export function watchHome(home: Home, onLoss: () => void): () => void {
  const id = folderId(home.cluster);
  const timer = setInterval(() => {
    if (leadsHome(home) && isSameFolder(id, folderId(home.cluster))) return;
    clearInterval(timer);
    onLoss();
  }, lookMs).unref();
  return () => clearInterval(timer);
}
