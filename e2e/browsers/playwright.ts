import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserType, Page } from 'playwright';
import type { Browser, LaunchOptions, Tab } from './browser.ts';
import type { Engine } from './find.ts';

type LaunchArguments = Parameters<BrowserType['launchPersistentContext']>[1];

/** Drives Chromium or Firefox, always with a profile folder, so that a killed one can come back. */
export async function driveWithPlaywright(
  engine: Engine,
  type: BrowserType,
  { profile, isStorageBlocked, traceFile, console = [], launch }: LaunchOptions & { launch: LaunchArguments },
): Promise<Browser> {
  const folder = profile ?? (await mkdtemp(join(tmpdir(), 'orderbeacon-profile-')));
  if (engine === 'chromium' && isStorageBlocked) blockChromiumStorage(folder);
  const context = await type.launchPersistentContext(folder, launch);
  if (traceFile) await context.tracing.start({ screenshots: true, snapshots: true });
  context.on('console', (message) => console.push(`${message.type()}: ${message.text()}`));

  return {
    engine,
    console,
    // Beside the first page, which stays: with its last tab the browser would close.
    newTab: async () => tab(await context.newPage()),
    setOffline: (isOffline) => context.setOffline(isOffline),
    async kill() {
      killUsersOf(folder);
      await context.close().catch(() => {});
    },
    async close() {
      if (traceFile) await context.tracing.stop({ path: traceFile }).catch(() => {});
      await context.close().catch(() => {});
      if (!profile) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function tab(page: Page): Tab {
  return {
    async goto(url) {
      await page.goto(url, { waitUntil: 'load' });
    },
    run: (body) => page.evaluate(`(async () => { ${body} })()`),
    screenshot: () => page.screenshot({ timeout: 5_000 }),
    close: () => page.close({ runBeforeUnload: false }),
  };
}

/** Every process that was started with that profile; their children end with them. */
function killUsersOf(folder: string): void {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of lines) {
    const [, pid, args] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    if (pid && args?.includes(folder)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It ended with its parent.
      }
    }
  }
}

/** Chromium's "block all cookies", which also makes localStorage throw, is a setting of the profile. */
function blockChromiumStorage(folder: string): void {
  mkdirSync(join(folder, 'Default'), { recursive: true });
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences));
}
