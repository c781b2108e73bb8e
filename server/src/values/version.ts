import { readFileSync } from 'node:fs';

/** The version that the build inserts, so that the code knows its release even if other files have been replaced since. */
declare const builtVersion: string | undefined;

/** Version of this code. Sources that run without a build have the version of the checkout. */
export const version = typeof builtVersion === 'string' ? builtVersion : readVersion();

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@orderbeacon/sdk/track.js'));
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
