import type { TextStorage } from './storage';

/** A report on its way, as it is stored. */
export interface Waiting {
  /** The report's id with `outboxPrefix` before it, which is also its storage key. */
  key: string;
  /** Where it goes. Kept, so that any page of the site can deliver it. */
  url: string;
  /** The JSON as it is sent. */
  body: string;
  /** How often it was tried. */
  tries: number;
  /** When it is tried next, in milliseconds since 1970. */
  at?: number;
  /** Being sent, by this page or another; if no answer was seen, given up at `at`. */
  busy?: boolean | undefined;
}

/** Reports, kept until their answer was seen. */
export interface Outbox {
  /** Without a report, removes it. */
  set(key: string, report?: Waiting): void;
  /** The oldest first. Forgets what is too old or too much. */
  list(): Waiting[];
}

/** What the storage keys of reports begin with. */
export const outboxPrefix = 'ob:';

const reportsAtMost = 50;
const ageMsAtMost = 72 * 3_600_000;

/**
 * Keeps each report under a storage key of its own, so that two tabs never overwrite each other's. Holds at
 * most 50 reports for at most 72 hours.
 * @param onLost told of each report that is dropped undelivered
 */
export function createOutbox(storage: TextStorage, onLost: () => void): Outbox {
  return {
    // Undefined makes undefined, which removes.
    set: (key, report) => storage.set(key, JSON.stringify(report)),
    list() {
      const all = storage.all();
      const keys = Object.keys(all)
        .sort()
        .filter((key) => key.startsWith(outboxPrefix));
      const oldest = outboxPrefix + (Date.now() - ageMsAtMost).toString(36);
      return keys.flatMap((key, index) => {
        try {
          if (key > oldest && index >= keys.length - reportsAtMost) return JSON.parse(all[key]!) as Waiting;
        } catch {
          // Written by something else.
        }
        storage.set(key);
        onLost();
        return [];
      });
    },
  };
}
