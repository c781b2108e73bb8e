import type { Engine } from './find.ts';

/** A tab. */
export interface Tab {
  /** Goes to a page; resolves when it has loaded. */
  goto(url: string): Promise<void>;
  /** Runs the body of an async function in the page and resolves with what it returns. */
  run<T = unknown>(body: string): Promise<T>;
  /** A PNG of what it shows; absent where the driver takes none of a tab in the background. */
  screenshot?: () => Promise<Buffer>;
  /** Closes the tab as a person does, without waiting for the page. */
  close(): Promise<void>;
}

/** A browser with cookies and storage that nobody else uses. */
export interface Browser {
  engine: Engine;
  newTab(): Promise<Tab>;
  /** Turns the network off or on; absent if the engine's driver cannot. */
  setOffline?: (isOffline: boolean) => Promise<void>;
  /** The console lines of pages so far, if the driver reports them. */
  console: string[];
  close(): Promise<void>;
}

/** A browser whose processes nobody else uses either. */
export interface OwnBrowser extends Browser {
  /** Kills all its processes, as a crash or an empty battery does. */
  kill(): Promise<void>;
}

/** Options of every browser. */
export interface BrowserOptions {
  /** The list to which the console lines of pages are added; default: a new list. */
  console?: string[];
  /** The file for the trace of Chromium and Firefox, written when they close. `npx playwright show-trace` opens it. */
  traceFile?: string;
}

/** Options of a browser's start. */
export interface LaunchOptions extends BrowserOptions {
  /** A folder that keeps the profile, so that a second launch finds what the first left. */
  profile?: string;
  /** Refuses every site localStorage and cookies. */
  isStorageBlocked?: boolean;
  /** Lets Chromium keep pages for the back button, which Playwright forbids it. */
  keepsPages?: boolean;
  /** Starts Chromium's headless shell instead, if it is installed and no window is wanted. */
  isShell?: boolean;
}
