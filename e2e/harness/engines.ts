import { afterAll, afterEach, describe } from 'vitest';
import type { Browser, LaunchOptions, OwnBrowser } from '../browsers/browser.ts';
import { type Engine, engines, findBrowser, installHint } from '../browsers/find.ts';
import { keepEvidence, writeEvidence } from './evidence.ts';
import { launchRecorded, openRecorded, type RecordedBrowser } from './recordedBrowser.ts';

type Declare = (engine: Engine, browser: Browser) => void;

/** Options of the browsers in which a file is tested. */
interface EngineOptions extends LaunchOptions {
  /** Engines that support the subject of the file. Default: all. */
  only?: readonly Engine[];
}

/**
 * Declares promises that depend on the engine: of tabs that close, of storage, of settings. `npm test` runs them in Chromium. If
 * an engine is not installed, it is a visible skip on a developer's machine, and a failure in CI.
 */
export function inEveryBrowser(declare: Declare, { only = engines, ...options }: EngineOptions = {}): void {
  for (const engine of only) inEngine(engine, options, declare, engine === 'chromium' ? [] : ['all']);
}

/** Declares promises about pages, which do not depend on the engine. They run in Chromium, and at night in the others. */
export function inOneBrowser(declare: Declare): void {
  for (const engine of engines)
    inEngine(engine, { isShell: true }, declare, engine === 'chromium' ? [] : ['long']);
}

function inEngine(engine: Engine, options: LaunchOptions, declare: Declare, tags: string[] = []): void {
  const isThere = findBrowser(engine) !== null;
  if (!isThere && process.env.CI) {
    describe(engine, { tags }, () => {
      throw new Error(`No ${engine} was found. Run: ${installHint[engine]}`);
    });
  } else {
    describe.skipIf(!isThere)(engine, { tags }, () => declare(engine, setUpBrowser(engine, options)));
  }
}

/** Sets up the Chromium of a file or a `describe` whose promises depend on no engine; see `LaunchOptions.isShell`. */
export function setUpChromium(): Browser {
  return setUpBrowser('chromium', { isShell: true });
}

/**
 * Sets up the browser of a file or a `describe`. It starts with its first tab, closes its tabs after each test, and ends after
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
  // Hooks after a test run in reverse order, so the pictures are taken before the tabs close.
  keepEvidence(async () => (await running)?.evidence() ?? {});
  return {
    engine,
    console,
    newTab: async () => (await start()).newTab(),
    setOffline: async (isOffline) => (await start()).setOffline!(isOffline),
    close: async () => (await running)?.close(),
  };
}

/** Runs `use` with a browser, and closes the browser in every case. */
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
