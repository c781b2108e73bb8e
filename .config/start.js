// `npm start`: builds what has changed since the last build, then serves.
import { spawnSync } from 'node:child_process';
import { isNodeNewEnough } from '../server/bin/nodeVersion.js';
import { isFresh, root, workspaces } from './freshness.js';

if (isNodeNewEnough() && isReady()) {
  process.argv[1] = `${root}server/bin/orderbeacon.js`;
  process.argv.splice(2, 0, 'serve');
  await import('../server/bin/orderbeacon.js');
}

/** True when the build is that of these sources. A failure has been told, and set the exit code. */
function isReady() {
  if (workspaces.every(isFresh)) return true;
  const { status } = spawnSync(process.execPath, [`${root}.config/buildToStart.js`], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return status === 0;
}
