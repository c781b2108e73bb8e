import { type AskAllTeams, askTogether } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { repeat } from '../../../values/repeat.js';
import { minuteMs } from '../../../values/time.js';
import {
  listAllowedEvents,
  listAllowedSources,
  removeApartEvents,
  removeOldApartEvents,
} from '../sql/apartEvent.js';
import { findSource } from '../sql/source.js';
import { readEvents } from './readEvents.js';
import type { StoreEvent } from './storeEvent.js';

const eventsTogether = 20;

/** Dependencies of `startStoringAllowed`. */
export interface StoringAllowedDeps {
  sql: Sql;
  askAllTeams?: AskAllTeams;
  storeEvent: StoreEvent;
  noteFault: (error: unknown) => void;
}

/**
 * Stores the kept events of other hosts after a person has allowed the host, and removes old ones. Looks each minute.
 * @returns a function that stops this
 */
export function startStoringAllowed({
  sql,
  askAllTeams = askTogether,
  storeEvent,
  noteFault,
}: StoringAllowedDeps): () => Promise<void> {
  return repeat(
    minuteMs,
    async (signal) => {
      await askAllTeams((ofTeams) => removeOldApartEvents(sql, ofTeams));
      // A fault of one shop does not stop the others.
      const { rows } = await askAllTeams((ofTeams) => listAllowedSources(sql, ofTeams));
      for (const { teamId, token } of rows)
        await storeAllowedEvents({ sql, storeEvent }, { teamId, token }, signal).catch(noteFault);
    },
    { onFault: noteFault, firstMs: 0 },
  );
}

async function storeAllowedEvents(
  { sql, storeEvent }: Pick<StoringAllowedDeps, 'sql' | 'storeEvent'>,
  { teamId, token }: { teamId: Parameters<typeof findSource>[1]; token: string },
  signal: AbortSignal,
): Promise<void> {
  const source = await findSource(sql, teamId, token);
  if (!source) return;
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
