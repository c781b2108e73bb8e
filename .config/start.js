// `npm start`: builds what has changed since the last build, then serves.
import { isNodeNewEnough } from '../server/bin/nodeVersion.js';
import { BuildError, buildStale } from './build.js';
import { isFresh, root, workspaces } from './freshness.js';

if (isNodeNewEnough() && (await isReady())) {
  process.argv[1] = `${root}server/bin/orderbeacon.js`;
  process.argv.splice(2, 0, 'serve');
  await import('../server/bin/orderbeacon.js');
}

/** True when the build is that of these sources. A failure has been told, and set the exit code. */
async function isReady() {
  if (workspaces.every(isFresh)) return true;
  try {
    const { tsImport } = await import('tsx/esm/api');
    // A build takes seconds; a setting that the server will refuse is told before it, from the sources.
    const { readConfig } = await tsImport('../server/src/config.ts', import.meta.url);
    readConfig(process.env);
    await buildStale();
    return true;
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    process.exitCode = name === 'ConfigError' ? 2 : 1;
    if (name === 'ConfigError') console.error(`orderbeacon: ${message}`);
    else console.error(error instanceof BuildError ? message : error);
    return false;
  }
}
