import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { isParentMissing } from '../database/failures.js';
import { isAllowed } from '../teams/domains.js';
import { findEntries } from '../teams/sql/domain.js';
import type { Uuid } from '../values/ids.js';
import { startOfUtcDay } from '../values/timeUnits.js';
import type { RefusedBounds } from './refusedReport.js';
import { addRefusalCounts, listCounts, others, type RefusalCount } from './sql/refusalCount.js';

/** A refusal, as it is counted. */
export type CountedRefusal = Pick<RefusalCount, 'reason' | 'host' | 'field'>;

/** Counts refusals by day. */
export interface RefusalCounts {
  add(teamId: Uuid, refusal: CountedRefusal): void;
  /** Writes all counts now, and no more by itself. */
  stop(): Promise<void>;
}

/**
 * Counts refusals in memory, and writes them a second after the first one; counts that cannot be written are written with the
 * next ones. Anyone can claim to be a page of any host, so the different counts of a team are limited, also in memory.
 */
export function createRefusalCounts(
  sql: Sql,
  bounds: Pick<RefusedBounds, 'countsOfDay' | 'otherCountsOfDay' | 'countEveryMs'>,
  clock: Clock,
): RefusalCounts {
  let waiting = new Map<Uuid, Map<string, RefusalCount>>();
  let timer: NodeJS.Timeout | undefined;

  function put(teamId: Uuid, count: RefusalCount): void {
    const ofTeam = waiting.get(teamId) ?? new Map<string, RefusalCount>();
    waiting.set(teamId, ofTeam);
    const isOneMore = !ofTeam.has(keyOf(count)) && ofTeam.size >= 2 * bounds.countsOfDay;
    addTo(ofTeam, isOneMore ? together(count) : count);
    timer ??= setTimeout(() => void writeAll(), bounds.countEveryMs).unref();
  }

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = new Map();
    for (const [teamId, counts] of taken)
      await write(teamId, [...counts.values()]).catch((error) => {
        // The counts of a team that was removed would fail every second for ever.
        if (!isParentMissing(error)) for (const count of counts.values()) put(teamId, count);
      });
  }

  /** Writes the counts of a team: those of its own hosts and keys first, so that made-up hosts take no row of theirs. */
  async function write(teamId: Uuid, counts: readonly RefusalCount[]): Promise<void> {
    const domains = await findEntries(sql, teamId);
    const isOwn = ({ host }: RefusalCount) => host === '' || isAllowed(host, domains);
    const since = counts.map(({ day }) => day).sort()[0]!;
    const rows = new Set((await listCounts(sql, teamId, since)).map(keyOf));
    const written = new Map<string, RefusalCount>();
    for (const count of [...counts.filter(isOwn), ...counts.filter((one) => !isOwn(one))]) {
      const hasRow =
        rows.has(keyOf(count)) || rows.size < (isOwn(count) ? bounds.countsOfDay : bounds.otherCountsOfDay);
      addTo(written, hasRow ? count : together(count));
      if (hasRow) rows.add(keyOf(count));
    }
    await addRefusalCounts(sql, teamId, [...written.values()]);
  }

  return {
    add(teamId, { reason, host, field }) {
      const now = new Date(clock.nowMs());
      const day = startOfUtcDay(now).toISOString();
      put(teamId, { day, reason, host, field, reports: 1, lastAt: now.toISOString() });
    },
    async stop() {
      await writeAll();
      clearTimeout(timer);
    },
  };
}

function addTo(counts: Map<string, RefusalCount>, count: RefusalCount): void {
  const { reports, lastAt } = counts.get(keyOf(count)) ?? { reports: 0, lastAt: '' };
  counts.set(keyOf(count), {
    ...count,
    reports: reports + count.reports,
    lastAt: lastAt > count.lastAt ? lastAt : count.lastAt,
  });
}

const together = (count: RefusalCount): RefusalCount => ({ ...count, host: others, field: others });

function keyOf({
  day,
  reason,
  host,
  field,
}: Pick<RefusalCount, 'day' | 'reason' | 'host' | 'field'>): string {
  return `${day} ${reason} ${host} ${field}`;
}
