import type { Chance } from './random';
import type { Time } from './time';

export type StorageMood = 'well' | 'blocked' | 'null' | 'full' | 'lying';

/** Called with each change that the other tabs of the origin see. */
export type StorageListener = (key: string | null, newValue: string | null, writer: object) => void;

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
  /** Undefined in browsers without Web Locks. */
  locks: object | undefined;
  /** Releases the locks of a tab that is gone. */
  releaseLocks(tab: object): void;
  readCookies(): string;
  writeCookie(text: string): void;
  /** Difference between the browser's clock and the true time. */
  clockOffsetMs: number;
}

export function createBrowser(time: Time, chance: Chance): SharedBrowser {
  const cookies = new Map<string, string>();
  let holder: object | null = null;

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
  /** The keys are own enumerable properties, as in browsers. */
  const stored: Record<string, string> = Object.create(
    Object.defineProperties(
      {},
      Object.fromEntries(Object.entries(methods).map(([name, value]) => [name, { value }])),
    ),
  );

  /** The locks: held by other code for ever, refused as in sandboxed frames, or shared by the tabs. */
  const lockMood = chance.oneOf(['missing', 'refused', 'taken', 'shared', 'shared', 'shared']);
  const locks = {
    async request(_name: string, _options: object, use: (lock: object | null) => unknown) {
      if (lockMood === 'refused') throw new Error('SecurityError');
      if (lockMood === 'taken' || holder !== null) return use(null);
      const tab = browser.runningTab;
      holder = tab;
      await use({});
      if (holder === tab) holder = null;
    },
  };

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
    locks: lockMood === 'missing' ? undefined : locks,
    releaseLocks: (tab) => {
      if (holder === tab) holder = null;
    },
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
