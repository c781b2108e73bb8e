import type { Clock } from '../database/clock.js';
import type { Uuid } from '../values/ids.js';

/** The number of reports of a team that were refused in an hour for the same reason, host and field. */
export interface RefusalCount {
  /** The hour's beginning, ISO 8601. */
  hour: string;
  reason: string;
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
  teams(): Uuid[];
}

const hourMs = 60 * 60_000;
/** Stands for all hosts past the limit. */
const otherHosts = '*';

/**
 * Counts refusals in memory. Anybody can claim to be a page of any host, so the hosts of a team are limited.
 * @param hostsAtMost hosts of a team that are counted separately in an hour; all others are counted together
 */
export function createRefusalCounts(hostsAtMost: number, clock: Clock): RefusalCounts {
  const counts = new Map<Uuid, Map<string, RefusalCount>>();
  let hour = '';
  let hosts = new Map<Uuid, Set<string>>();

  function hostOf(teamId: Uuid, host: string): string {
    const known = hosts.get(teamId) ?? new Set();
    hosts.set(teamId, known);
    if (known.has(host)) return host;
    if (known.size >= hostsAtMost) return otherHosts;
    known.add(host);
    return host;
  }

  function put(teamId: Uuid, count: RefusalCount): void {
    const ofTeam = counts.get(teamId) ?? new Map<string, RefusalCount>();
    counts.set(teamId, ofTeam);
    const key = `${count.hour} ${count.reason} ${count.host} ${count.field}`;
    const before = ofTeam.get(key);
    ofTeam.set(key, before ? { ...count, reports: before.reports + count.reports } : count);
  }

  return {
    add(teamId, { reason, host, field }) {
      const now = new Date(clock.nowMs());
      const current = new Date(now.getTime() - (now.getTime() % hourMs)).toISOString();
      if (current !== hour) {
        hour = current;
        hosts = new Map();
      }
      const count = { hour, reason, host: hostOf(teamId, host), field, reports: 1 };
      put(teamId, { ...count, lastAt: now.toISOString() });
    },
    take(teamId) {
      const taken = [...(counts.get(teamId)?.values() ?? [])];
      counts.delete(teamId);
      return taken;
    },
    putBack(teamId, taken) {
      for (const count of taken) put(teamId, count);
    },
    teams: () => [...counts.keys()],
  };
}
