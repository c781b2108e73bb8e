import type { ConsoleHost } from '../../console/consoleHost.js';
import { formatSince } from '../../console/parts/format.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { type LongSilence, readSilence, silenceMessage } from './silence.js';

/** Finds since when a team is watched; undefined if it never was. */
export type FindWatch = (sql: Sql, teamId: Uuid) => Promise<{ watchedSince: Date | null } | undefined>;

/** Shows in the console that live orders have stopped. */
export function addSilence(console: ConsoleHost, findWatch: FindWatch): void {
  console.trouble(20, async ({ var: { isTest, link, query, viewer } }) => {
    const { now } = viewer;
    const silence = isTest
      ? null
      : await query((sql, teamId) => readShownSilence(sql, { teamId, now }, findWatch));
    if (!silence) return null;
    return {
      tone: 'bad',
      title: 'Orders have stopped.',
      about: silenceMessage(silence, (time) => formatSince(time, now, viewer)),
      href: link('/setup/install'),
      button: 'Check my page',
    };
  });
}

/**
 * Reads the silence of a team's live orders, by the same rule as the event for hooks. A team without hooks has one, too. Null if
 * the team is not silent.
 */
async function readShownSilence(
  sql: Sql,
  { teamId, now }: { teamId: Uuid; now: Date },
  findWatch: FindWatch,
): Promise<LongSilence | null> {
  const watch = await findWatch(sql, teamId);
  const since = watch?.watchedSince ?? null;
  const { lastOrderAt, found, usualOrders } = await readSilence(sql, teamId, { now, since });
  return lastOrderAt === null || usualOrders === null ? null : { lastOrderAt, found, usualOrders };
}
