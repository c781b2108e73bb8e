import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserType, Page } from 'playwright';
import type { Browser, BrowserOptions, LaunchOptions, OwnBrowser, Tab } from './browser.ts';
import { closeInTime } from './closeInTime.ts';
import type { Engine } from './find.ts';
import { patientMs } from './patience.ts';
import { removeProfile } from './removeProfile.ts';

type LaunchArguments = Parameters<BrowserType['launchPersistentContext']>[1];

/** Drives a new Chromium or Firefox. It always has a profile folder, so that it can be restarted after a kill. */
export async function driveProfile(
  engine: Engine,
  type: BrowserType,
  { profile, isStorageBlocked, launch, ...options }: LaunchOptions & { launch: LaunchArguments },
): Promise<OwnBrowser> {
  const folder = profile ?? (await mkdtemp(join(tmpdir(), 'orderbeacon-profile-')));
  if (engine === 'chromium' && isStorageBlocked) blockChromiumStorage(folder);
  // Its first page stays open, because the browser would close with its last tab.
  const context = await type.launchPersistentContext(folder, launch);
  const browser = await drive(engine, context, options);
  return {
    ...browser,
    async kill() {
      killUsersOf(folder);
      // Playwright may wait for the answer of a Firefox that has ended.
      await closeInTime(context.close().catch(() => {}));
    },
    async close() {
      await browser.close();
      if (!profile) await removeProfile(folder);
    },
  };
}

/** Drives a new context of the browser at `endpoint`, which other tests use, too. */
export async function driveContext(
  engine: Engine,
  type: BrowserType,
  endpoint: string,
  options: BrowserOptions,
): Promise<Browser> {
  const connection = await type.connect(endpoint);
  const browser = await drive(engine, await connection.newContext(), options);
  return {
    ...browser,
    async close() {
      await browser.close();
      await connection.close();
    },
  };
}

async function drive(
  engine: Engine,
  context: BrowserContext,
  { traceFile, console = [] }: BrowserOptions,
): Promise<Browser> {
  context.setDefaultTimeout(patientMs);
  if (traceFile) await context.tracing.start({ screenshots: true, snapshots: true });
  context.on('console', (message) => console.push(`${message.type()}: ${message.text()}`));
  const openPage = engine === 'firefox' ? pageOpener(context) : () => context.newPage();
  return {
    engine,
    console,
    newTab: async () => tab(await openPage()),
    setOffline: (isOffline) => context.setOffline(isOffline),
    async close() {
      if (traceFile) await context.tracing.stop({ path: traceFile }).catch(() => {});
      await context.close().catch(() => {});
    },
  };
}

/**
 * Creates a function that opens pages in Firefox. `newPage()` opens a window, which costs 0.4 s of CPU more than a tab. A page
 * that is alone gets a tab. Others get windows, because a tab in the background is hidden.
 */
function pageOpener(context: BrowserContext): () => Promise<Page> {
  let base: Promise<Page> | undefined;
  let open = 0;
  return async () => {
    const isAlone = open++ === 0;
    const page = isAlone ? await openTab() : await context.newPage();
    page.once('close', () => open--);
    return page;
  };

  async function openTab(): Promise<Page> {
    base ??= context.newPage();
    const opener = await base;
    const [page] = await Promise.all([
      context.waitForEvent('page'),
      opener.evaluate(`void window.open('about:blank', '_blank', 'noopener')`),
    ]);
    return page;
  }
}

function tab(page: Page): Tab {
  return {
    async goto(url) {
      await page.goto(url, { waitUntil: 'load' });
    },
    run: (body) => page.evaluate(`(async () => { ${body} })()`),
    screenshot: () => page.screenshot({ timeout: 5_000 }),
    close: () => closeInTime(page.close({ runBeforeUnload: false })),
  };
}

/** Kills every process that was started with a profile. Their children end with them. */
function killUsersOf(folder: string): void {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of lines) {
    const [, pid, args] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    if (pid && args?.includes(folder)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended with its parent.
      }
    }
  }
}

/** Sets Chromium's "block all cookies", which also makes localStorage throw. It is a setting of the profile. */
function blockChromiumStorage(folder: string): void {
  mkdirSync(join(folder, 'Default'), { recursive: true });
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences));
}
