import { readJson, writeJson } from './json';
import type { TextStorage } from './storage';

/** A waiting report, as it is stored. Pages whose tag is pinned to another release read and write the same form. */
export interface WaitingReport {
  /** Its storage key, which is also its `reportId`. */
  key: string;
  /** The JSON to send. */
  body: string;
  /** The number of tries so far. */
  tries: number;
  /** The time of the next try, in milliseconds since 1970. If undefined, the report is due. */
  at?: number | undefined;
  /** Set if no page may send the report until `at`: it is in flight, or the server asked for a pause. */
  busy?: boolean | undefined;
  /** The time of the first try. Gaps of more than 5.5 hours between tries move it on (`gapMsAtMost` in delivery.ts). */
  since?: number | undefined;
}

/** The reports that have no answer yet. */
export interface Outbox {
  /** All reports, oldest first. */
  _list(): WaitingReport[];
  /** Reads one report. Undefined if it does not exist or is another team's; null if this page knows of its removal. */
  _get(key: string): WaitingReport | null | undefined;
  /** Adds or replaces a report. */
  _put(report: WaitingReport): void;
  /** Removes a report that was answered, and notifies the other pages. */
  _remove(key: string): void;
  /** Removes a report that another page has removed. This page may have stored it again before it was notified. */
  _forget(key: string): void;
  /** Reads the keys of the storage again, because other code may have written some. Returns them, sorted. */
  _refresh(): string[];
  /** Removes the visitor and the landings from every report. */
  _dropVisitor(): void;
}

/** Value that is stored before a removal. Other pages see by it that the shop did not just clear the storage. */
export const answered = '0';

/**
 * Creates an outbox that keeps each report under its own storage key, and in memory. Two tabs never overwrite each other's
 * reports. The copy in memory survives a storage that is blocked, full, cleared by the shop or unreliable, as long as the
 * page is open.
 * @param teamId reports of other teams, and other values under such keys, are left alone
 */
export function createOutbox(storage: TextStorage, teamId: string): Outbox {
  /**
   * The reports of this page by their keys. A stored report that was not read yet is undefined. The keys are looked up only
   * once, because a shop may store 20,000 keys. Null marks a removed report, because an unreliable storage may return it again.
   */
  const memory: Record<string, WaitingReport | null | undefined> = {};

  const get = (key: string) => {
    const own = memory[key];
    const stored = readJson(storage._read(key));
    // Another tab may have changed the stored report. If the storage is full, it is older than the one in memory.
    const isCurrent =
      own !== null && stored.tries >= (own?.tries ?? 0) && readJson(stored.body).teamId === teamId;
    return isCurrent ? { ...(stored as WaitingReport), key } : own;
  };

  const list = () =>
    Object.keys(memory)
      .sort()
      .flatMap((key) => get(key) ?? []);

  const put = (report: WaitingReport) => {
    memory[report.key] = report;
    storage._write(report.key, writeJson(report));
  };

  const forget = (key: string) => {
    memory[key] = null;
    storage._write(key);
  };

  return {
    _list: list,
    _get: get,
    _put: put,
    _forget: forget,
    _refresh: () =>
      storage._keys().map((key) => {
        // biome-ignore lint/correctness/noSelfAssign: adds a key that is new.
        memory[key] = memory[key];
        return key;
      }),
    _remove(key) {
      storage._write(key, answered);
      forget(key);
    },
    _dropVisitor() {
      for (const report of list()) {
        put({
          ...report,
          body: writeJson({ ...readJson(report.body), visitorId: undefined, landings: undefined }),
        });
      }
    },
  };
}
