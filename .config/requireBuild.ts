import { existsSync } from 'node:fs';

/** Global setup of the whole run: many tests use what was built, and a run builds nothing. */
export default function setup(): void {
  for (const path of ['sdk/dist/track.js', 'server/dist/cli.js']) {
    if (!existsSync(new URL(`../${path}`, import.meta.url)))
      throw new Error(`${path} is not there. Run npm run build first.`);
  }
}
