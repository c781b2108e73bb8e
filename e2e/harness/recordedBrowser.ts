import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, LaunchOptions, OwnBrowser, Tab } from '../browsers/browser.ts';
import type { Engine } from '../browsers/find.ts';
import { launch, types } from '../browsers/launch.ts';
import { driveContext } from '../browsers/playwright.ts';
import type { Evidence } from './evidence.ts';
import { evidenceFolder } from './evidenceFolder.ts';
import { sharedBrowser } from './shared.ts';

/** A browser that records what happens in it. */
export interface RecordedBrowser extends Browser {
  /** Collects the page and, if the driver can, a picture of each open tab; the actions in them, and the console lines. */
  evidence(): Promise<Evidence>;
  /** Closes the tabs that are still open, and forgets the recorded actions. */
  closeTabs(): Promise<void>;
}

let opened = 0;

/** Time limit for reading the HTML of a tab, because a hanging tab never answers. */
const htmlWithinMs = 10_000;

/**
 * Opens a browser for a file. All files share one Firefox, whose start costs five seconds of CPU, and one headless shell of
 * Chromium; each gets a context. Of the other browsers each file gets a new one: in a context of the whole Chromium, closing a
 * tab that navigates sometimes hangs, and WebKit's driver serves one session. Tabs are recorded. With `TRACE=1` Playwright's
 * whole trace is kept, too.
 */
export function openRecorded(engine: Engine, options: LaunchOptions): Promise<RecordedBrowser> {
  return record(engine, options, async (options) =>
    engine === 'firefox' || (engine === 'chromium' && options.isShell)
      ? driveContext(engine, types[engine], await sharedBrowser(engine), options)
      : launch(engine, options),
  );
}

/** Starts a new browser, whose tabs are recorded. With `TRACE=1` Playwright's whole trace is kept, too. */
export function launchRecorded(
  engine: Engine,
  options: LaunchOptions = {},
): Promise<RecordedBrowser & OwnBrowser> {
  return record(engine, options, (options) => launch(engine, options));
}

async function record<B extends Browser>(
  engine: Engine,
  given: LaunchOptions,
  start: (options: LaunchOptions) => Promise<B>,
): Promise<RecordedBrowser & B> {
  const traceFile = `${evidenceFolder}traces/${engine}-${process.pid}-${++opened}.zip`;
  const browser = await start({ ...given, ...(process.env.TRACE && { traceFile }) });
  const tabs = new Map<Tab, number>();
  let count = 0;
  let done: string[] = [];
  const startedMs = Date.now();
  const note = (text: string) => void done.push(`${String(Date.now() - startedMs).padStart(7)} ms  ${text}`);

  return {
    ...browser,
    async newTab() {
      const opened = await browser.newTab();
      const number = ++count;
      const tab: Tab = {
        ...opened,
        goto(url) {
          note(`tab ${number}: goes to ${url}`);
          return opened.goto(url);
        },
        run(body) {
          note(`tab ${number}: runs ${body}`);
          return opened.run(body);
        },
        close() {
          note(`tab ${number}: closes`);
          tabs.delete(tab);
          return opened.close();
        },
      };
      tabs.set(tab, number);
      note(`tab ${number}: opens`);
      return tab;
    },
    async evidence() {
      const evidence: Evidence = {
        'browser.txt': [...done, '', 'Console:', ...browser.console, ''].join('\n'),
      };
      for (const [tab, number] of tabs) {
        const picture = await tab.screenshot?.().catch(() => undefined);
        const html = await Promise.race([
          tab.run<string>('return document.documentElement.outerHTML').catch(String),
          delay(htmlWithinMs, 'The tab did not answer.', { ref: false }),
        ]);
        evidence[`tab${number}.html`] = html;
        if (picture) evidence[`tab${number}.png`] = picture;
      }
      return evidence;
    },
    async closeTabs() {
      await Promise.all([...tabs.keys()].map((tab) => tab.close().catch(() => {})));
      done = [];
    },
    async close() {
      await browser.close();
      if (process.env.TRACE && engine !== 'webkit') console.error(`npx playwright show-trace ${traceFile}`);
    },
  };
}
