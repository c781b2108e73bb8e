import { existsSync } from 'node:fs';
import { chromium, firefox } from 'playwright';

/** The engines that every promise is tested in. */
export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

/** The command that installs a missing engine. */
export const installHint: Record<Engine, string> = {
  chromium: 'npx playwright install chromium, or apt-get install chromium chromium-headless-shell',
  firefox: 'npx playwright install firefox, or apt-get install firefox-esr',
  webkit: 'apt-get install webkit2gtk-driver xvfb',
};

/** Debian's Chromium, and the same engine without windows. */
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
  // WebKitGTK's driver stands for Safari's engine: Playwright's own WebKit build wants libraries that few machines have.
  webkit: () => (existsSync('/usr/bin/Xvfb') || process.env.DISPLAY ? ['/usr/bin/WebKitWebDriver'] : []),
};

/** The executable of an engine: Playwright's own download, the one the environment names, or the system's. */
export function findBrowser(engine: Engine): string | null {
  return candidates[engine]().find((path) => path && existsSync(path)) ?? null;
}

/**
 * The headless shell of the Chromium that `findBrowser` finds: a tab in it takes a third of the CPU time. It has no
 * settings of sites, and is not what people use. Null if it is not installed.
 */
export function findHeadlessShell(): string | null {
  return findBrowser('chromium') === debianChromium && existsSync(debianShell) ? debianShell : null;
}
