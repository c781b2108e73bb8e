import type { Time } from './time';

export type StorageMood = 'well' | 'blocked' | 'null' | 'full' | 'lying';

/** Called with each change of the storage that the other tabs of the origin see. */
type StorageListener = (key: string | null, newValue: string | null, writer: object) => void;

/** A browser: the state that all its tabs share. */
export interface SharedBrowser {
  storageMood: StorageMood;
  /** The code that runs now belongs to this tab. */
  runningTab: object;
  /** The `localStorage` of the running tab. Throws if it is blocked. */
  storage(): unknown;
  /** The contents of the storage, even if it is blocked. */
  readonly stored: Record<string, string>;
  clearStorage(): void;
  onStorage: StorageListener;
  readCookies(): string;
  writeCookie(text: string): void;
  /** Difference between the browser's clock and the true time. */
  clockOffsetMs: number;
}

export function createBrowser(time: Time): SharedBrowser {
  const cookies = new Map<string, string>();

  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem(key: string, value: string) {
      if (browser.storageMood === 'full') throw new Error('QuotaExceededError');
      if (browser.storageMood === 'lying' || stored[key] === value) return;
      stored[key] = value;
      browser.onStorage(key, value, browser.runningTab);
    },
    removeItem(key: string) {
      if (browser.storageMood === 'lying' || !(key in stored)) return;
      delete stored[key];
      browser.onStorage(key, null, browser.runningTab);
    },
  };
  /** The stored values. The keys are own enumerable properties, as in browsers. */
  const stored: Record<string, string> = Object.create(
    Object.defineProperties(
      {},
      Object.fromEntries(Object.entries(methods).map(([name, value]) => [name, { value }])),
    ),
  );

  const browser: SharedBrowser = {
    storageMood: 'well',
    runningTab: {},
    stored,
    storage() {
      if (browser.storageMood === 'blocked') throw new Error('SecurityError');
      return browser.storageMood === 'null' ? null : stored;
    },
    clearStorage() {
      for (const key of Object.keys(stored)) delete stored[key];
      browser.onStorage(null, null, browser.runningTab);
    },
    onStorage: () => {},
    readCookies: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    writeCookie(text) {
      const [, name, value] = /^(\w+)=([^;]*)/.exec(text)!;
      if (text.includes('max-age=-1')) cookies.delete(name!);
      else cookies.set(name!, value!);
    },
    clockOffsetMs: 1_750_000_000_000 + time.nowMs(),
  };
  return browser;
}
