import { findBinaries, prepareBinaries } from '../../src/embedded/binaries.js';
import { findHome } from '../../src/embedded/home.js';
import { initialise } from '../../src/embedded/initCluster.js';

/** Creates an empty cluster in a data folder as the embedded PostgreSQL does, without waiting for the disk. */
export async function initialiseFolder(dataDir: string) {
  const silent = () => {};
  const home = findHome(dataDir, silent);
  const binaries = prepareBinaries(findBinaries(), home.user, () => home.folder, silent);
  await initialise(home, binaries, ['--no-sync']);
  return { home, binaries };
}
