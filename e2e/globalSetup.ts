import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { findBrowser, installHint } from './browsers/find.ts';
import { evidenceFolder } from './harness/evidenceFolder.ts';

/** Prepares the specs: finds the browser, and removes the evidence of earlier runs. */
export default function setup(): void {
  findChromium();
  rmSync(evidenceFolder, { recursive: true, force: true });
}

/**
 * Installs the one browser that `npm test` needs. It is Playwright's download; if that cannot be reached and this is root on
 * Debian, Debian's packages. Firefox and WebKit are tested if they are installed.
 */
function findChromium(): void {
  if (findBrowser('chromium')) return;
  run('npx', ['playwright', 'install', 'chromium']);
  if (!findBrowser('chromium') && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update', '-qq']);
    for (const name of ['chromium', 'chromium-headless-shell']) {
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name]);
    }
  }
  if (!findBrowser('chromium')) throw new Error(`No Chromium was found. Run: ${installHint.chromium}`);
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
