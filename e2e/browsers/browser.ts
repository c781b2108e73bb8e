import type { Engine } from './find.ts';

/** A tab of a browser. */
export interface Tab {
  /** Goes to a page. Resolves when it has loaded. */
  goto(url: string): Promise<void>;
  /** Runs the body of an async function in the page, and resolves with its result. */
  run<T = unknown>(body: string): Promise<T>;
  /** Takes a PNG of the tab. Missing if the driver cannot do so for tabs in the background. */
  screenshot?: () => Promise<Buffer>;
  /** Closes the tab as a person does, without waiting for the page. */
  close(): Promise<void>;
}

/** A browser whose cookies and storage no other test uses. */
export interface Browser {
  engine: Engine;
  newTab(): Promise<Tab>;
  /** Turns the network off or on. Missing if the engine's driver cannot. */
  setOffline?: (isOffline: boolean) => Promise<void>;
  /** Console lines of pages so far, if the driver reports them. */
  console: string[];
  close(): Promise<void>;
}

/** A browser whose processes no other test uses, either. */
export interface OwnBrowser extends Browser {
  /** Kills all its processes, as a crash or an empty battery does. */
  kill(): Promise<void>;
}

/** Options of every browser. */
export interface BrowserOptions {
  /** List to which the console lines of pages are added. Default: a new list. */
  console?: string[];
  /** File for the trace of Chromium and Firefox, written when they close. `npx playwright show-trace` opens it. */
  traceFile?: string;
}

/** Options of a browser's start. */
export interface LaunchOptions extends BrowserOptions {
  /** Folder that keeps the profile, so that a second launch finds the data of the first. */
  profile?: string;
  /** Denies localStorage and cookies to every site. */
  isStorageBlocked?: boolean;
  /** Lets Chromium keep pages for the back button. By default, Playwright prevents it. */
  keepsPages?: boolean;
  /** Starts Chromium's headless shell instead, if it is installed and no window is wanted. */
  isShell?: boolean;
}
