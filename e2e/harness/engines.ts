import { afterAll, afterEach, describe } from 'vitest';
import type { Browser, LaunchOptions, OwnBrowser } from '../browsers/browser.ts';
import { type Engine, engines, findBrowser, installHint } from '../browsers/find.ts';
import { keepEvidence, writeEvidence } from './evidence.ts';
import { launchRecorded, openRecorded, type RecordedBrowser } from './recordedBrowser.ts';

type Declare = (engine: Engine, browser: Browser) => void;

/** Options of the browsers that a file is tested in. */
interface EngineOptions extends LaunchOptions {
  /** The engines that can do what the file is about; default: all. */
  only?: readonly Engine[];
}

/**
 * Declares promises that the engine decides: of tabs that close, of storage, of settings. `npm test` asks Chromium. An engine that is not installed is
 * a visible skip on a developer's machine, and a failure in CI.
 */
export function inEveryBrowser(declare: Declare, { only = engines, ...options }: EngineOptions = {}): void {
  for (const engine of only) inEngine(engine, options, declare, engine === 'chromium' ? [] : ['all']);
}

/** Declares promises about pages, which no engine decides: in Chromium, and in the others by night. */
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
