import { chromium, firefox } from 'playwright';
import { type Engine, findBrowser } from './find.ts';
import { driveWithPlaywright } from './playwright.ts';
import { launchWebKit } from './webkit.ts';

/** A tab, as far as the promises need one. */
export interface Tab {
  /** Goes to a page; resolves when it has loaded. */
  goto(url: string): Promise<void>;
  /** Runs the body of an async function in the page and resolves with what it returns. */
  run<T = unknown>(body: string): Promise<T>;
  /** Closes the tab as a person does, without waiting for the page. */
  close(): Promise<void>;
}

/** A running browser with one profile. */
export interface Browser {
  engine: Engine;
  newTab(): Promise<Tab>;
  /** Cuts the network off, or lets it back; absent where the engine's driver knows no such thing. */
  setOffline?: (isOffline: boolean) => Promise<void>;
  /** What pages wrote to the console so far, where the driver tells. */
  console: string[];
  /** Kills every process of it at once, as a crash or a battery does. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** How to start one. */
export interface LaunchOptions {
  /** A folder that keeps the profile, so that a second launch finds what the first left. */
  profile?: string;
  /** Refuses every site localStorage and cookies. */
  isStorageBlocked?: boolean;
}

/** Names that pages and servers go by: Chromium must not ask anybody else for them. */
const resolverRules =
  '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1';

/** Starts a browser; `findBrowser` says before whether there is one. */
export async function launch(engine: Engine, options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findBrowser(engine)!;
  if (engine === 'webkit') return launchWebKit(executablePath);
  if (engine === 'firefox') {
    // Stock Firefox speaks WebDriver BiDi; Playwright's own build is driven in its own way.
    const isStock = executablePath !== firefox.executablePath();
    return driveWithPlaywright(engine, firefox, {
      ...options,
      launch: {
        executablePath,
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
