import type { Sql } from '../../../database/connection/connect.js';
import { repeat } from '../../../values/repeat.js';
import { minuteMs } from '../../../values/time.js';
import {
  listAllowedEvents,
  listAllowedSources,
  removeApartEvents,
  removeOldApartEvents,
} from '../sql/apartEvent.js';
import { findSources } from '../sql/source.js';
import { readEvents } from './readEvents.js';
import type { StoreEvent } from './storeEvent.js';

const eventsTogether = 20;

/** Dependencies of storing events whose host was allowed. */
export interface StoringAllowedDeps {
  sql: Sql;
  storeEvent: StoreEvent;
  noteFault: (error: unknown) => void;
}

/**
 * Stores the events that were kept apart, once their host is allowed, and removes old ones. Looks each minute. Returns a function
 * that stops this.
 */
export function startStoringAllowed({ sql, storeEvent, noteFault }: StoringAllowedDeps): () => Promise<void> {
  return repeat(
    minuteMs,
    async (signal) => {
      await removeOldApartEvents(sql);
      // What fails in one shop holds up no other one.
      for (const { teamId, token } of await listAllowedSources(sql))
        await storeAllowedEvents({ sql, storeEvent }, { teamId, token }, signal).catch(noteFault);
    },
    { onFault: noteFault, firstMs: 0 },
  );
}

async function storeAllowedEvents(
  { sql, storeEvent }: Pick<StoringAllowedDeps, 'sql' | 'storeEvent'>,
  { teamId, token }: { teamId: Parameters<typeof findSources>[1]; token: string },
  signal: AbortSignal,
): Promise<void> {
  const [source] = await findSources(sql, teamId, [token]);
  if (!source || source.id === null) return;
  for (;;) {
    const events = await listAllowedEvents(sql, source, eventsTogether);
    if (events.length === 0) return;
    for (const { id, topic, body } of events) {
      if (signal.aborted) return;
      const { events: facts, ...sent } = await readEvents(source.kind, Buffer.from(body), topic);
      for (const fact of facts) await storeEvent(source, fact, sent);
      await removeApartEvents(sql, source, [id]);
    }
  }
}
