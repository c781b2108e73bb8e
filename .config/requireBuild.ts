import { existsSync } from 'node:fs';

/** Checks that a build exists, as a global setup of the run. Many tests use built files, and a run builds nothing. */
export default function setup(): void {
  for (const path of ['sdk/dist/track.js', 'server/dist/cli.js']) {
    if (!existsSync(new URL(`../${path}`, import.meta.url)))
      throw new Error(`${path} is not there. Run npm run build first.`);
  }
}
