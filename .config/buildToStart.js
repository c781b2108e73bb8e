// Builds what has changed since the last build, in a process of its own: the compilers' processes end with it, not with
// the server. A failure has been told when it ends with another code than 0.
import { BuildError, buildStale } from './build.js';

try {
  const { tsImport } = await import('tsx/esm/api');
  // A build takes seconds; a setting that the server will refuse is told before it, from the sources.
  const { readConfig } = await tsImport('../server/src/config.ts', import.meta.url);
  readConfig(process.env);
  await buildStale();
} catch (error) {
  const { name, message } = /** @type {Error} */ (error);
  process.exitCode = name === 'ConfigError' ? 2 : 1;
  if (name === 'ConfigError') console.error(`orderbeacon: ${message}`);
  else console.error(error instanceof BuildError ? message : error);
}
