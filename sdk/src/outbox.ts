import { readJson, withoutField, writeJson } from './json';
import type { TextStorage } from './storage';

/** A report on its way, as it is stored. */
export interface Waiting {
  /** Its storage key, which is also its `reportId`. */
  key: string;
  /** The JSON as it is sent. */
  body: string;
  /** How often it was tried. */
  tries: number;
  /** When it is tried next, in milliseconds since 1970; at once where it is missing. */
  at?: number | undefined;
  /** Nobody tries it before `at`: it is being sent, by this page or another, or the server asked for a pause. */
  busy?: boolean | undefined;
  /** When the first try was seen to fail; later where the clock was set meanwhile. */
  since?: number | undefined;
}

/** Reports, kept until their answer was seen. */
export interface Outbox {
  /** The oldest first. */
  list(): Waiting[];
  /** Undefined when there is none, or it is another team's; null when this page has seen it removed. */
  look(key: string): Waiting | null | undefined;
  /** Adds or replaces a report. */
  keep(report: Waiting): void;
  remove(key: string): void;
  /** Takes the visitor out of every report. */
  dropVisitor(): void;
}

const storedAtMost = 50;

/**
 * Keeps each report under a storage key of its own, so that two tabs never overwrite each other's, and in memory
 * as well: there it outlives a storage that is blocked, full or lies, and a shop that clears it, for as long as
 * the page lives. At most 50 are stored; one more is in memory alone, so that it pushes no older one out.
 * @param teamId reports of other teams, and whatever else lies under such a key, are left alone
 */
export function createOutbox(storage: TextStorage, teamId: string): Outbox {
  /** Null is a report that was removed, for a storage that lies may show it again. */
  const memory: Record<string, Waiting | null> = {};

  const look = (key: string) => {
    const own = memory[key];
    const stored = readJson(storage.read(key));
    // Another tab may have changed the stored one; but where the storage is full, it is older than our own.
    const isCurrent =
      own !== null && stored.tries >= (own?.tries ?? 0) && readJson(stored.body).teamId === teamId;
    return isCurrent ? { ...(stored as Waiting), key } : own;
  };

  const list = () =>
    [...new Set([...storage.keys(), ...Object.keys(memory)])].sort().flatMap((key) => look(key) ?? []);

  const keep = (report: Waiting) => {
    memory[report.key] = report;
    if (storage.read(report.key) || list().length <= storedAtMost) {
      storage.write(report.key, writeJson(report));
    }
  };

  return {
    list,
    look,
    keep,
    remove(key) {
      memory[key] = null;
      storage.write(key);
    },
    dropVisitor() {
      for (const report of list()) keep({ ...report, body: withoutField(report.body, 'visitorId') });
    },
  };
}
