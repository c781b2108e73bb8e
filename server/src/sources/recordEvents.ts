import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import type { ShopSource } from './source.js';
import { recordLastEvent } from './sql/source.js';
import type { EventOutcome } from './storedEvent.js';

/** Counts an event of a source, and records it for the setup page. Returns the event's outcome. */
export type RecordEvent = (source: ShopSource, outcome: EventOutcome) => EventOutcome;

/** Time between two writes of one server. */
const everyMs = 1_000;

interface LastEvent {
  source: ShopSource;
  outcome: EventOutcome;
  unsigned: number;
}

/**
 * Makes the step that records events. It writes the last one of a second with one statement for each source, in the
 * background; errors are ignored.
 */
export function createRecordEvents(sql: Sql, count: (kind: string, outcome: string) => void): RecordEvent {
  let unwritten = new Map<Uuid, LastEvent>();
  let isWriteDue = false;

  async function write(): Promise<void> {
    const written = unwritten;
    unwritten = new Map();
    for (const { source, ...last } of written.values()) await recordLastEvent(sql, source, last);
  }

  function writeSoon(): void {
    if (isWriteDue) return;
    isWriteDue = true;
    setTimeout(() => {
      write()
        .catch(() => {})
        .finally(() => {
          isWriteDue = false;
          if (unwritten.size > 0) writeSoon();
        });
    }, everyMs).unref();
  }

  return function recordEvent(source, outcome) {
    count(source.kind, outcome);
    const unsigned = (unwritten.get(source.id)?.unsigned ?? 0) + (outcome === 'invalid_signature' ? 1 : 0);
    unwritten.set(source.id, { source, outcome, unsigned });
    writeSoon();
    return outcome;
  };
}
