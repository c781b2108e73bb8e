import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser, installHint } from './browsers/find.ts';

/**
 * Gets the one browser that `npm test` cannot do without: Playwright's download where it can be reached,
 * else Debian's package when this is root on a Debian. Firefox and WebKit are tested where they are.
 */
export default function setup(): void {
  if (findBrowser('chromium')) return;
  run('npx', ['playwright', 'install', 'chromium']);
  if (!findBrowser('chromium') && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
  }
  if (!findBrowser('chromium')) throw new Error(`No Chromium was found. Run: ${installHint.chromium}`);
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
