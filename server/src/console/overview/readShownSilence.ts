import type { Sql } from '../../database/connection/connect.js';
import { findWatch } from '../../hooks/sql/hookWatch.js';
import { type LongSilence, readSilence } from '../../orders/silence.js';
import type { Uuid } from '../../values/ids.js';

/** Reads the silence of a team's live orders as its hooks are told of it, whether or not it has any. Null for none. */
export async function readShownSilence(
  sql: Sql,
  { teamId, now }: { teamId: Uuid; now: Date },
): Promise<LongSilence | null> {
  const watch = await findWatch(sql, teamId);
  const since = watch?.watchedSince ?? null;
  const { lastOrderAt, usualOrders } = await readSilence(sql, teamId, { now, since });
  return lastOrderAt === null || usualOrders === null ? null : { lastOrderAt, usualOrders };
}
