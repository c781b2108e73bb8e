import { chromium, firefox } from 'playwright';
import type { Browser, LaunchOptions } from './browser.ts';
import { type Engine, findBrowser } from './find.ts';
import { driveWithPlaywright } from './playwright.ts';
import { launchWebKit } from './webkit.ts';

/** Host names of pages and servers, which Chromium must not look up elsewhere. */
export const resolverRules =
  '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1';

/** Starts a browser, in a window with `HEADED=1`; `findBrowser` says before whether there is one. */
export async function launch(engine: Engine, options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findBrowser(engine)!;
  const isHeaded = Boolean(process.env.HEADED);
  if (engine === 'webkit') return launchWebKit(executablePath, isHeaded);
  if (engine === 'firefox') {
    // Stock Firefox speaks WebDriver BiDi; Playwright's own build is driven in its own way.
    const isStock = executablePath !== firefox.executablePath();
    return driveWithPlaywright(engine, firefox, {
      ...options,
      launch: {
        executablePath,
        headless: !isHeaded,
        ...(isStock && { channel: 'moz-firefox' }),
        firefoxUserPrefs: {
          'network.dns.localDomains': 'shop.localhost,other.localhost,collector.localhost',
          ...(options.isStorageBlocked && { 'network.cookie.cookieBehavior': 2 }),
        },
      },
    });
  }
  return driveWithPlaywright(engine, chromium, {
    ...options,
    launch: {
      executablePath,
      headless: !isHeaded,
      chromiumSandbox: false,
      args: [
        resolverRules,
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  });
}
