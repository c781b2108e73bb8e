import type { Sql } from '../../database/connection/connect.js';
import { findWatch } from '../../hooks/sql/hookWatch.js';
import type { ReadSilence } from '../../orders/readSilence.js';
import { type ToldSilence, tellSilence } from '../../orders/tellSilence.js';
import type { Uuid } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { formatSince } from '../parts/formatTime.js';

/** Reads the silence of a team's live orders as its hooks are told of it, whether or not it has any. Null for none. */
export async function readShownSilence(
  sql: Sql,
  readSilence: ReadSilence,
  { teamId, now }: { teamId: Uuid; now: Date },
): Promise<ToldSilence | null> {
  const watch = await findWatch(sql, teamId);
  const { lastOrderAt, usualOrders } = await readSilence(sql, {
    teamId,
    now,
    missedFrom: watch?.missedFrom ?? null,
    missedTo: watch?.missedTo ?? null,
  });
  return lastOrderAt === null || usualOrders === null ? null : { lastOrderAt, usualOrders };
}

/** The overview's line on orders that have stopped. */
export function SilenceNotice({ silence, now }: { silence: ToldSilence | null; now: Date }) {
  const { viewer } = useConsole();
  if (silence === null) return null;
  return <p class="notice bad">{tellSilence(silence, (time) => formatSince(time, now, viewer))}</p>;
}
