import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { LastEvent, RequestOutcome } from '../requestOutcome.js';
import type { ShopSource } from '../source.js';
import { recordLastEvent } from '../sql/source.js';

/** Records the events of sources. */
export interface EventRecords {
  /** Counts an event of a source, and records it for the setup page. Returns the event's outcome. */
  recordEvent(source: ShopSource, outcome: RequestOutcome): RequestOutcome;
  /** Records that an event was refused, so that the shop is asked soon. */
  recordRefused(source: ShopSource): void;
}

/** Time between two writes of one server. */
const everyMs = 1_000;

/**
 * Creates the functions that record events. They write each source's last event with one statement at most each second,
 * in the background. Errors are ignored; an error for one source does not stop the others.
 */
export function createRecordEvents(sql: Sql, count: (kind: string, outcome: string) => void): EventRecords {
  let unwritten = new Map<Uuid, LastEvent>();
  let isWriteDue = false;

  async function write(): Promise<void> {
    const written = unwritten;
    unwritten = new Map();
    for (const { source, ...last } of written.values())
      await recordLastEvent(sql, source, last).catch(() => {});
  }

  function writeSoon(): void {
    if (isWriteDue) return;
    isWriteDue = true;
    setTimeout(() => {
      void write().then(() => {
        isWriteDue = false;
        if (unwritten.size > 0) writeSoon();
      });
    }, everyMs).unref();
  }

  function lastOf(source: ShopSource): LastEvent {
    const last = unwritten.get(source.id) ?? {
      source,
      outcome: null,
      isSigned: false,
      unsigned: 0,
      large: 0,
      isRefused: false,
    };
    unwritten.set(source.id, last);
    writeSoon();
    return last;
  }

  return {
    recordEvent(source, outcome) {
      count(source.kind, outcome);
      // An event of a copy of the shop does not show that the shop itself sends.
      if (outcome === 'other_host') return outcome;
      const last = lastOf(source);
      last.outcome = outcome;
      if (outcome === 'invalid_signature') last.unsigned++;
      else if (outcome === 'too_large') last.large++;
      else if (outcome !== 'ping') Object.assign(last, { isSigned: true, unsigned: 0 });
      return outcome;
    },
    recordRefused(source) {
      lastOf(source).isRefused = true;
    },
  };
}
