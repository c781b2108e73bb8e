import type { Engine } from './find.ts';

/** A tab, as far as the promises need one. */
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
  /** What pages write to the console is added here; default: a list of its own. */
  console?: string[];
  /** Where Chromium's and Firefox's whole trace goes when they close: `npx playwright show-trace` opens it. */
  traceFile?: string;
}
