import { isAllowed } from '../teams/domains.js';
import { others } from './refusalCounts.js';
import type { RefusedKind } from './refusedWords.js';
import type { RecentRefusals, ToldRefusal } from './sql/toldRefusal.js';

/** A host, or a field and reason, that has begun to be refused. */
export interface BegunSubject extends Pick<ToldRefusal, 'name'> {
  kind: 'host' | 'field';
  /** The reason, host and field of most of the reports. */
  most: RefusedKind;
  reports: number;
}

/**
 * Finds the hosts, and the fields and reasons, that are refused and were not before, with the most reports first. Refusals
 * of a host that is not among the team's domains are that host's, so that a stranger cannot hide a field of the team's own
 * pages by sending it first.
 */
export function findBegun(rows: readonly RecentRefusals[], domains: ReadonlySet<string>): BegunSubject[] {
  const subjects = new Map<string, BegunSubject & { mostReports: number; wasBefore: boolean }>();
  for (const { reason, host, field, reports, wasBefore } of rows) {
    // Hosts past a limit, which are counted together.
    if (host === others) continue;
    const most = { reason, host, field };
    const subject = subjectOf(most, domains);
    const key = `${subject.kind} ${subject.name}`;
    const before = subjects.get(key) ?? { ...subject, most, reports: 0, mostReports: -1, wasBefore: false };
    subjects.set(key, {
      ...before,
      reports: before.reports + reports,
      wasBefore: before.wasBefore || wasBefore,
      ...(reports > before.mostReports && { most, mostReports: reports }),
    });
  }
  return [...subjects.values()]
    .filter(({ reports, wasBefore }) => reports > 0 && !wasBefore)
    .sort((a, b) => b.reports - a.reports)
    .map(({ kind, name, most, reports }) => ({ kind, name, most, reports }));
}

function subjectOf({ reason, host, field }: RefusedKind, domains: ReadonlySet<string>) {
  const isOwn = host === '' || isAllowed(host, domains);
  if (reason === 'domain_not_allowed' || !isOwn) return { kind: 'host', name: host } as const;
  return { kind: 'field', name: `${reason} ${field}` } as const;
}
