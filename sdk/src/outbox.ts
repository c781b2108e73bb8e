import { readJson, writeJson } from './json';
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
  _list(): WaitingReport[];
  /** One report. Undefined if there is none or it belongs to another team, null if this page knows of its removal. */
  _get(key: string): WaitingReport | null | undefined;
  /** Adds or replaces a report. */
  _put(report: WaitingReport): void;
  /** Removes a report, because it was answered, and tells the other pages. */
  _remove(key: string): void;
  /** Removes a report that another page has removed. This page may have stored it again before it heard of that. */
  _forget(key: string): void;
  /** Finds the keys of the storage again, because other code may have written some. Returns them, sorted. */
  _refresh(): string[];
  /** Removes the visitor and the landings from every report. */
  _dropVisitor(): void;
}

/** Written before a removal: so other pages see that a report was answered, and not that the shop has cleared the storage. */
export const answered = '0';

/**
 * Keeps each report under its own storage key, so that two tabs never overwrite each other's reports, and in memory.
 * The copy in memory survives a storage that is blocked, full, cleared by the shop or unreliable, as long as the page
 * is open.
 * @param teamId reports of other teams, and other values under such keys, are left alone
 */
export function createOutbox(storage: TextStorage, teamId: string): Outbox {
  /**
   * The reports of this page by their keys, and the keys of stored reports without one. A shop may store 20,000 keys of its
   * own, so they are looked for once. Null stands for a removed report, because an unreliable storage may return it again.
   */
  const memory: Record<string, WaitingReport | null | undefined> = {};

  const get = (key: string) => {
    const own = memory[key];
    const stored = readJson(storage._read(key));
    // Another tab may have changed the stored report. In a full storage it is older than the one in memory.
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
        // biome-ignore lint/correctness/noSelfAssign: a key that is new gets its place.
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
