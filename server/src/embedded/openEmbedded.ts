import { findBinaries } from './binaries.js';
import { findHome, noDatabase, unusable } from './home.js';
import { isInitialised, refuseOtherMajor } from './initCluster.js';
import { openByPort } from './openByPort.js';
import { type Embedded, openBySocket } from './openBySocket.js';

/**
 * Joins the PostgreSQL that runs in the data folder, or starts one, creating the database the first time.
 * It runs until its last user has closed it or has died in whatever way, or until its folder is moved,
 * deleted or replaced. On Windows it ends with the process that started it, even while others use it.
 * Throws `DatabaseError` when there is none to use, and when a PostgreSQL still holds the folder that was started
 * while the folder had another path.
 * `folder` is where its files lie, which may be elsewhere than in `dataDir`.
 * @param notify called with each line for the operator
 * @param creates false: throws `DatabaseError` when there is no database
 */
export async function openEmbedded(
  dataDir: string,
  notify: (line: string) => void,
  creates = true,
): Promise<Embedded & { folder: string }> {
  const installed = findBinaries();
  const home = findHome(dataDir, notify, creates);
  if (!creates && !isInitialised(home)) throw noDatabase(dataDir);
  const open = process.platform === 'win32' ? openByPort : openBySocket;
  try {
    refuseOtherMajor(home, installed);
    return { ...(await open(home, installed, notify)), folder: home.cluster };
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unusable(dataDir, cause);
    throw cause;
  }
}
