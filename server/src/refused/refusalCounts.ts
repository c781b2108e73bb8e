import type { Clock } from '../database/clock.js';
import type { Uuid } from '../values/ids.js';
import { startOfUtcDay } from '../values/timeUnits.js';

/** The number of reports of a team that were refused on a day for the same reason, host and field. */
export interface RefusalCount {
  /** The beginning of the day in UTC, ISO 8601. */
  day: string;
  reason: string;
  /** Empty for reports with a key, and for pages that name none; `*` for all hosts past a limit. */
  host: string;
  field: string;
  reports: number;
  lastAt: string;
}

/** A refusal, as it is counted. */
export interface CountedRefusal {
  reason: string;
  host: string;
  field: string;
}

/** Counts of refusals that are not written yet. */
export interface RefusalCounts {
  add(teamId: Uuid, refusal: CountedRefusal): void;
  /** Removes and returns the counts of a team. */
  take(teamId: Uuid): RefusalCount[];
  /** Adds counts again that could not be written. */
  putBack(teamId: Uuid, counts: readonly RefusalCount[]): void;
  /** Writes all counts now, and no more by itself. */
  stop(): Promise<void>;
}

/** Stands for all hosts, and all fields, past a limit. */
export const others = '*';

/**
 * Counts refusals in memory, and writes them a while after the first one. Anyone can claim to be a page of any host, so
 * the different counts of a team are limited; further ones are counted together by reason.
 * @param write may reject; the counts are then written with the next ones
 */
export function createRefusalCounts(
  write: (teamId: Uuid, counts: RefusalCount[]) => Promise<void>,
  { countsWaiting, countEveryMs }: { countsWaiting: number; countEveryMs: number },
  clock: Clock,
): RefusalCounts {
  const waiting = new Map<Uuid, Map<string, RefusalCount>>();
  let timer: NodeJS.Timeout | undefined;

  function put(teamId: Uuid, count: RefusalCount): void {
    const ofTeam = waiting.get(teamId) ?? new Map<string, RefusalCount>();
    waiting.set(teamId, ofTeam);
    const isOneMore = !ofTeam.has(keyOf(count)) && ofTeam.size >= countsWaiting;
    const added = isOneMore ? { ...count, host: others, field: others } : count;
    const before = ofTeam.get(keyOf(added)) ?? { reports: 0, lastAt: '' };
    const lastAt = before.lastAt > added.lastAt ? before.lastAt : added.lastAt;
    ofTeam.set(keyOf(added), { ...added, reports: before.reports + added.reports, lastAt });
    timer ??= setTimeout(() => void writeAll(), countEveryMs).unref();
  }

  function take(teamId: Uuid): RefusalCount[] {
    const taken = [...(waiting.get(teamId)?.values() ?? [])];
    waiting.delete(teamId);
    return taken;
  }

  function putBack(teamId: Uuid, taken: readonly RefusalCount[]): void {
    for (const count of taken) put(teamId, count);
  }

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const teamId of [...waiting.keys()]) {
      const taken = take(teamId);
      await write(teamId, taken).catch(() => putBack(teamId, taken));
    }
  }

  return {
    add(teamId, { reason, host, field }) {
      const now = new Date(clock.nowMs());
      const day = startOfUtcDay(now).toISOString();
      put(teamId, { day, reason, host, field, reports: 1, lastAt: now.toISOString() });
    },
    take,
    putBack,
    async stop() {
      await writeAll();
      clearTimeout(timer);
    },
  };
}

function keyOf({ day, reason, host, field }: RefusalCount): string {
  return `${day} ${reason} ${host} ${field}`;
}
