import { folderId, isSameFolder } from './folders.js';
import { type Home, leadsHome } from './home.js';

const checkMs = 1000;

/**
 * Calls back once, at most a second late, when the data folder no longer leads to this cluster because it was moved,
 * deleted or replaced. A folder in use keeps its inode, so no new folder can be mistaken for it. Does not keep the
 * process alive. Returns a function that stops watching.
 */
export function watchHome(home: Home, onLoss: () => void): () => void {
  const id = folderId(home.cluster);
  const timer = setInterval(() => {
    if (leadsHome(home) && isSameFolder(id, folderId(home.cluster))) return;
    clearInterval(timer);
    onLoss();
  }, checkMs).unref();
  return () => clearInterval(timer);
}
