import type { BrowserApis } from './browser';

/** A localStorage that never throws. The build shortens names that begin with `_`. */
export interface TextStorage {
  /** The sorted keys of reports and early calls. */
  _keys(): string[];
  /** Reads the value of a key. Null or undefined if it has no value. */
  _read(key: string): string | null | undefined;
  /** Stores a value, or removes it if `value` is missing. If the storage is blocked or full, nothing happens. */
  _write(key: string, value?: string): void;
}

/** The prefix of the storage keys of reports, and of calls from before the script loaded. */
export const keyPrefix = 'orderbeacon:';

/** @returns true for the key of a report or an early call */
export const isOurs = (key: string | null): key is string => /^orderbeacon:/.test(key!);

/**
 * Opens localStorage. It may be missing, throw, be full, or accept a value and not keep it. So a caller also keeps its
 * own copy as long as the page is open (see outbox.ts and visitor.ts).
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
    // Reads only the keys, because a shop may store megabytes.
    _keys: () => attempt((local) => Object.keys(local).filter(isOurs).sort()) ?? [],
    _read: (key) => attempt((local) => local.getItem(key)),
    _write: (key, value) => {
      attempt((local) => (value ? local.setItem(key, value) : local.removeItem(key)));
    },
  };
}
