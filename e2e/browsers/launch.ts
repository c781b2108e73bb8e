import { type BrowserServer, chromium, firefox } from 'playwright';
import type { LaunchOptions, OwnBrowser } from './browser.ts';
import { type Engine, findBrowser, findHeadlessShell } from './find.ts';
import { driveProfile } from './playwright.ts';
import { launchWebKit } from './webkit.ts';

/** The engines that Playwright drives. */
export type PlaywrightEngine = Exclude<Engine, 'webkit'>;

export const types = { chromium, firefox };

/** Host names of pages and servers. Chromium must not look them up elsewhere. */
const resolverRules =
  '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1';

/** Arguments of every Chromium of a test. */
export const chromiumArgs: readonly string[] = [
  resolverRules,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Starts a browser, in a window with `HEADED=1`. Call it only if `findBrowser` finds the engine. */
export async function launch(engine: Engine, options: LaunchOptions = {}): Promise<OwnBrowser> {
  if (engine === 'webkit') return launchWebKit(findBrowser(engine)!, isHeaded());
  const start = startOptions(engine, options);
  return driveProfile(engine, types[engine], { ...options, launch: start });
}

/** Starts a browser in which many tests have a context each. Chromium is the headless shell, if installed. */
export function startShared(engine: PlaywrightEngine): Promise<BrowserServer> {
  return types[engine].launchServer(startOptions(engine, { isShell: true }));
}

const isHeaded = () => Boolean(process.env.HEADED);

function startOptions(engine: PlaywrightEngine, { isStorageBlocked, isShell, keepsPages }: LaunchOptions) {
  const shell = engine === 'chromium' && isShell && !isHeaded() ? findHeadlessShell() : null;
  const executablePath = shell ?? findBrowser(engine)!;
  const common = { executablePath, headless: !isHeaded() };
  if (engine === 'chromium') {
    const ignoreDefaultArgs = keepsPages ? ['--disable-back-forward-cache'] : [];
    return { ...common, chromiumSandbox: false, args: [...chromiumArgs], ignoreDefaultArgs };
  }
  // Stock Firefox uses WebDriver BiDi. Playwright's own build has another protocol.
  const isStock = executablePath !== firefox.executablePath();
  return {
    ...common,
    ...(isStock && { channel: 'moz-firefox' }),
    firefoxUserPrefs: {
      'network.dns.localDomains': 'shop.localhost,other.localhost,collector.localhost',
      // Pages open tabs without a click, and their window shows no animations.
      'dom.disable_open_during_load': false,
      'ui.prefersReducedMotion': 1,
      // One process for all pages, as for those of one site, and none in reserve: starting them takes a sixth of the time.
      'fission.webContentIsolationStrategy': 0,
      'dom.ipc.processPrelaunch.enabled': false,
      ...(isStorageBlocked && { 'network.cookie.cookieBehavior': 2 }),
    },
  };
}
