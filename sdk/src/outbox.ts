import { readJson, withoutFields, writeJson } from './json';
import type { TextStorage } from './storage';

/** A waiting report, as it is stored. Pages whose tag is pinned to another release read and write the same. */
export interface WaitingReport {
  /** Its storage key, which is also its `reportId`. */
  key: string;
  /** The JSON to send. */
  body: string;
  /** The number of tries so far. */
  tries: number;
  /** The time of the next try, in milliseconds since 1970. Without it the report is due. */
  at?: number | undefined;
  /** True until `at` if no page may send it: it is in flight, or the server asked for a pause. */
  busy?: boolean | undefined;
  /** The time of the first try, moved on by what a clock that was set has added. */
  since?: number | undefined;
}

/** The reports that have no answer yet. */
export interface Outbox {
  /** All reports, oldest first. */
  list(): WaitingReport[];
  /** One report. Undefined if there is none or it belongs to another team, null if this page knows of its removal. */
  get(key: string): WaitingReport | null | undefined;
  /** Adds or replaces a report. */
  put(report: WaitingReport): void;
  /** Removes a report, because it was answered, and tells the other pages. */
  remove(key: string): void;
  /** Removes a report from this page's memory, because another page has removed it. */
  forget(key: string): void;
  /** Finds the keys of the storage again, because other code may have written some. Returns them, sorted. */
  refresh(): string[];
  /** Removes the visitor and the landings from every report. */
  dropVisitor(): void;
}

const storedAtMost = 50;

/** Written before a removal. By it other pages know that a report was answered, and not that the shop clears the storage. */
export const answered = '0';

/**
 * Keeps each report under its own storage key, so that two tabs never overwrite each other's reports, and in memory.
 * The copy in memory survives a storage that is blocked, full, cleared by the shop or unreliable, as long as the page
 * is open. At most 50 reports are stored. Further ones are kept in memory only, and push out no older one.
 * @param teamId reports of other teams, and other values under such keys, are left alone
 */
export function createOutbox(storage: TextStorage, teamId: string): Outbox {
  /** Null stands for a removed report, because an unreliable storage may return it again. */
  const memory: Record<string, WaitingReport | null> = {};
  /**
   * The keys of stored reports and of those in memory. A shop may store 20,000 keys of its own, so they are kept. No `Set`,
   * because shops have a variable of that name.
   */
  const keys: Record<string, unknown> = {};

  const get = (key: string) => {
    const own = memory[key];
    const stored = readJson(storage.read(key));
    // Another tab may have changed the stored report. In a full storage it is older than the one in memory.
    const isCurrent =
      own !== null && stored.tries >= (own?.tries ?? 0) && readJson(stored.body).teamId === teamId;
    return isCurrent ? { ...(stored as WaitingReport), key } : own;
  };

  const list = () =>
    Object.keys(keys)
      .sort()
      .flatMap((key) => get(key) ?? []);

  const put = (report: WaitingReport) => {
    memory[report.key] = keys[report.key] = report;
    if (storage.read(report.key) || list().length <= storedAtMost) {
      storage.write(report.key, writeJson(report));
    }
  };

  const forget = (key: string) => {
    memory[key] = null;
    delete keys[key];
  };

  return {
    list,
    get,
    put,
    forget,
    refresh: () =>
      storage.keys().map((key) => {
        keys[key] = key;
        return key;
      }),
    remove(key) {
      forget(key);
      storage.write(key, answered);
      storage.write(key);
    },
    dropVisitor() {
      for (const report of list()) {
        put({ ...report, body: withoutFields(report.body, (name) => /^(visitorId|landings)$/.test(name)) });
      }
    },
  };
}
