import type { StoppedOrders } from '@orderbeacon/sdk/contract';
import { findTeam } from '../../core/teams/sql/team.js';
import type { WatchRule } from '../../host/watch.js';
import { describeTime } from '../../values/time.js';
import { endMessage, readSilence, silenceMessage } from './silence.js';
import { findNextOrderAt } from './sql/silence.js';

/** The rule of `orders.stopped`: finds each silence once, and once its end by a live order. */
export const watchOrders: WatchRule = async (
  tx,
  { teamId, now, stoppedSince, watchedSince, keepStopped },
) => {
  const { lastOrderAt, found, usualOrders } = await readSilence(tx, teamId, { now, since: watchedSince });
  if (lastOrderAt === null) return [];
  const format = (time: Date) => describeTime(time, now);
  if (stoppedSince === null) {
    if (usualOrders === null) return [];
    await keepStopped(lastOrderAt);
    const message = silenceMessage({ lastOrderAt, found, usualOrders }, format);
    return [await stoppedOrders({ lastOrderAt, usualOrders, endedAt: null, message })];
  }
  if (lastOrderAt <= stoppedSince) return [];
  await keepStopped(null);
  const endedAt = (await findNextOrderAt(tx, teamId, stoppedSince)) ?? lastOrderAt;
  const message = endMessage({ lastOrderAt: stoppedSince, endedAt }, format);
  return [await stoppedOrders({ lastOrderAt: stoppedSince, usualOrders: null, endedAt, message })];

  async function stoppedOrders(stated: {
    lastOrderAt: Date;
    usualOrders: number | null;
    endedAt: Date | null;
    message: string;
  }): Promise<StoppedOrders> {
    const { name } = (await findTeam(tx, teamId))!;
    return {
      teamName: name,
      ...stated,
      lastOrderAt: stated.lastOrderAt.toISOString(),
      endedAt: stated.endedAt?.toISOString() ?? null,
    };
  }
};
