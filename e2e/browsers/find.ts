import { existsSync } from 'node:fs';
import { chromium, firefox } from 'playwright';

/** The engines in which every promise is tested. */
export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

/** The command that installs a missing engine. */
export const installHint: Record<Engine, string> = {
  chromium: 'npx playwright install chromium, or apt-get install chromium chromium-headless-shell',
  firefox: 'npx playwright install firefox, or apt-get install firefox-esr',
  webkit: 'apt-get install webkit2gtk-driver xvfb',
};

/** Debian's Chromium, and its headless shell. */
const [debianChromium, debianShell] = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

const candidates: Record<Engine, () => (string | undefined)[]> = {
  chromium: () => [
    chromium.executablePath(),
    process.env.CHROMIUM_PATH,
    debianChromium,
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  firefox: () => [
    firefox.executablePath(),
    process.env.FIREFOX_PATH,
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
  ],
  // WebKitGTK stands for Safari's engine: Playwright's own WebKit build needs libraries that few machines have.
  webkit: () => (existsSync('/usr/bin/Xvfb') || process.env.DISPLAY ? ['/usr/bin/WebKitWebDriver'] : []),
};

/** Finds the executable of an engine: Playwright's download, the one that the environment names, or the system's. */
export function findBrowser(engine: Engine): string | null {
  return candidates[engine]().find((path) => path && existsSync(path)) ?? null;
}

/**
 * Finds the headless shell of the Chromium that `findBrowser` finds. A tab in it takes a third of the CPU time. It has no
 * settings of sites, and people do not use it. Null if it is not installed.
 */
export function findHeadlessShell(): string | null {
  return findBrowser('chromium') === debianChromium && existsSync(debianShell) ? debianShell : null;
}
