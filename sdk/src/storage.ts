import type { BrowserApis } from './browser';

/** localStorage that never throws. */
export interface TextStorage {
  /** The keys with our prefix, or with that of version 0.1.0, whose reports are still delivered. Sorted. */
  keys(): string[];
  /** Null or undefined when there is none. */
  read(key: string): string | null | undefined;
  /** Without a value, removes it. Where the storage is blocked, full or lies, nothing happens. */
  write(key: string, value?: string): void;
}

/** What the keys of reports, and of calls made before the script was there, begin with. */
export const keyPrefix = 'orderbeacon:';

const isOurs = (key: string) => /^(orderbeacon|ob):/.test(key);

/**
 * Opens localStorage. It may be missing, throw, be full, or take a text and not keep it, so whoever writes must
 * also keep its own copy for as long as the page lives (see outbox.ts and visitor.ts).
 */
export function openStorage(browser: Pick<BrowserApis, 'localStorage'>): TextStorage {
  const attempt = <T>(use: (local: NonNullable<BrowserApis['localStorage']>) => T): T | undefined => {
    try {
      return use(browser.localStorage!);
    } catch {
      // Blocked, full or missing.
    }
  };
  return {
    // Only the names: a shop may keep megabytes of its own here.
    keys: () => attempt((local) => Object.keys(local).filter(isOurs).sort()) ?? [],
    read: (key) => attempt((local) => local.getItem(key)),
    write: (key, value) => {
      attempt((local) => (value ? local.setItem(key, value) : local.removeItem(key)));
    },
  };
}
