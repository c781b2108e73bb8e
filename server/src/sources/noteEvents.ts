import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import type { ShopSource } from './source.js';
import { noteLastEvent, noteOrders } from './sql/sourceEvent.js';
import type { EventOutcome, StoredEvent } from './storeEvent.js';

/** Counts an event of a source, and remembers it for the setup page. Returns the event's outcome. */
export type NoteEvent = (source: ShopSource, stored: StoredEvent) => EventOutcome;

/** Time between two writes of one server. */
const everyMs = 1_000;
/** Orders of one write; more are not noted, because an order never waits for the setup page. */
const ordersAtMost = 5_000;

interface Noted {
  source: ShopSource;
  outcome: EventOutcome;
  orderIds: Set<Uuid>;
}

/**
 * Makes the step that notes events. It writes what came within a second with two statements for each source, in the
 * background; errors are ignored.
 */
export function createNoteEvents(
  sql: Sql,
  clock: Clock,
  count: (kind: string, outcome: string) => void,
): NoteEvent {
  let noted = new Map<Uuid, Noted>();
  let orders = 0;
  let isWriteDue = false;

  async function write(): Promise<void> {
    const written = noted;
    noted = new Map();
    orders = 0;
    for (const { source, outcome, orderIds } of written.values()) {
      await noteLastEvent(sql, source, outcome);
      if (orderIds.size > 0) await noteOrders(sql, source, [...orderIds], new Date(clock.nowMs()));
    }
  }

  function writeSoon(): void {
    if (isWriteDue) return;
    isWriteDue = true;
    setTimeout(() => {
      write()
        .catch(() => {})
        .finally(() => {
          isWriteDue = false;
          if (noted.size > 0) writeSoon();
        });
    }, everyMs).unref();
  }

  return function noteEvent(source, { outcome, order }) {
    count(source.kind, outcome);
    const of = noted.get(source.id) ?? { source, outcome, orderIds: new Set() };
    noted.set(source.id, of);
    of.outcome = outcome;
    if (order !== null && orders < ordersAtMost) {
      orders++;
      of.orderIds.add(order.id);
    }
    writeSoon();
    return outcome;
  };
}
