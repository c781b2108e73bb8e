import { readFileSync } from 'node:fs';

/** Set by the build, so that code says which release it is, whatever lies beside it by now. */
declare const builtVersion: string | undefined;

/** Version of this code. Sources that run without a build have that of the checkout. */
export const version = typeof builtVersion === 'string' ? builtVersion : readVersion();

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@orderbeacon/sdk/track.js'));
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
