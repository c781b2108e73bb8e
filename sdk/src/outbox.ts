import { timeOfId } from './newId';
import { safely } from './safely';
import type { TextStorage } from './storage';

/** A report on its way, as it is stored. */
export interface Waiting {
  /** The report's id. */
  id: string;
  /** Where it goes. Kept, so that any page of the site can deliver it. */
  url: string;
  /** The JSON as it is sent. */
  body: string;
  /** How often it was tried. */
  tries: number;
  /** When it is tried next, in milliseconds since 1970. */
  at: number;
  /** Being sent, by this page or another; if no answer was seen, given up at `at`. */
  flying: boolean;
}

/** Reports by id, kept until their answer was seen. */
export interface Outbox {
  put(report: Waiting): void;
  remove(id: string): void;
  /** The oldest first. Forgets what is too old or too much. */
  list(): Waiting[];
}

const prefix = 'ob:';
const reportsAtMost = 50;
const hoursAtMost = 72;

/**
 * Keeps each report under a storage key of its own, so that two tabs never overwrite each other's. Holds at
 * most 50 reports for at most 72 hours.
 * @param onLost told of each report that is dropped undelivered
 */
export function createOutbox(storage: TextStorage, onLost: () => void): Outbox {
  const remove = (id: string) => storage.remove(prefix + id);
  return {
    put: (report) => storage.write(prefix + report.id, JSON.stringify(report)),
    remove,
    list() {
      const ids = storage
        .keys()
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length))
        .sort();
      return ids.flatMap((id, index) => {
        const report = safely(() => JSON.parse(storage.read(prefix + id)!) as Waiting);
        if (report && index >= ids.length - reportsAtMost && Date.now() - timeOfId(id) < hoursAtMost * 36e5)
          return report;
        remove(id);
        onLost();
        return [];
      });
    },
  };
}
