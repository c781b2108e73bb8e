import { afterAll, afterEach, describe } from 'vitest';
import type { Browser, LaunchOptions, OwnBrowser } from '../browsers/browser.ts';
import { type Engine, engines, findBrowser, installHint } from '../browsers/find.ts';
import { keepEvidence, writeEvidence } from './evidence.ts';
import { launchRecorded, openRecorded, type RecordedBrowser } from './recordedBrowser.ts';

type Declare = (engine: Engine, browser: Browser) => void;

/**
 * Declares the promises of one file for every engine, in turn. An engine that is not installed is a visible skip on a
 * developer's machine, and a failure in CI.
 */
export function inEveryBrowser(declare: Declare, wanted: readonly Engine[] = engines): void {
  inEach(wanted, {}, declare);
}

/** As `inEveryBrowser`, for promises about pages alone: not of tabs that close, restarts and settings. */
export function inEveryEngine(declare: Declare): void {
  inEach(engines, { isShell: true }, declare);
}

function inEach(wanted: readonly Engine[], options: LaunchOptions, declare: Declare): void {
  for (const engine of wanted) {
    const isThere = findBrowser(engine) !== null;
    if (!isThere && process.env.CI) {
      describe(engine, () => {
        throw new Error(`No ${engine} was found. Run: ${installHint[engine]}`);
      });
    } else {
      describe.skipIf(!isThere)(engine, () => declare(engine, setUpBrowser(engine, options)));
    }
  }
}

/** Declares promises about data and arithmetic of the SDK, which depend on no engine: Chromium alone tests them. */
export function inOneBrowser(declare: Declare): void {
  describe('chromium', () => declare('chromium', setUpChromium()));
}

/** The Chromium of a file or a `describe` whose promises depend on no engine; see `LaunchOptions.isShell`. */
export function setUpChromium(): Browser {
  return setUpBrowser('chromium', { isShell: true });
}

/**
 * The browser of a file or a `describe`: starts with its first tab, loses its tabs after each test, closes after
 * the last. A failing test leaves pictures of its tabs.
 */
function setUpBrowser(engine: Engine, options: LaunchOptions): Browser {
  let running: Promise<RecordedBrowser> | undefined;
  const console: string[] = [];
  const start = () => {
    running ??= openRecorded(engine, { ...options, console });
    return running;
  };
  afterEach(async () => (await running)?.closeTabs());
  afterAll(async () => (await running)?.close());
  // Hooks after a test run the last one first: the pictures come before the tabs close.
  keepEvidence(async () => (await running)?.evidence() ?? {});
  return {
    engine,
    console,
    newTab: async () => (await start()).newTab(),
    setOffline: async (isOffline) => (await start()).setOffline!(isOffline),
    close: async () => (await running)?.close(),
  };
}

/** Runs with a browser, and closes it in every case. */
export async function withBrowser<T>(
  engine: Engine,
  options: LaunchOptions,
  use: (browser: OwnBrowser) => Promise<T>,
): Promise<T> {
  const browser = await launchRecorded(engine, options);
  try {
    return await use(browser);
  } catch (error) {
    writeEvidence(await browser.evidence());
    throw error;
  } finally {
    await browser.close();
  }
}
