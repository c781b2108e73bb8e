import type { RefusedBounds } from './refusedBounds.js';
import type { RefusedReport } from './refusedReport.js';
import type { RefusedRoom } from './sql/keepRefused.js';

/** What became of a refused report: `counted` alone past the bounds, or of an erased buyer's order; `dropped` where too many waited. */
export type RefusedFate = 'kept' | 'repeated' | 'counted' | 'dropped';

/** What becomes of reports that were refused together. */
export interface Fates {
  /** By identity. */
  fates: Map<string, RefusedFate>;
  /** Hosts that have no room left; `null` stands for the whole team. */
  full: Set<string | null>;
}

/**
 * Decides which of a team's reports find room: all that are kept already, and new ones up to the bounds of their host and
 * of the team. A retry for the order of an erased buyer would bring the email back, and is counted alone.
 * @param reports each identity once
 */
export function decideFates(
  room: RefusedRoom,
  reports: readonly RefusedReport[],
  { reportsOfTeam, reportsOfHost }: Pick<RefusedBounds, 'reportsOfTeam' | 'reportsOfHost'>,
): Fates {
  const known = new Set(room.identities);
  const erased = new Set<string | null>(room.erasedOrderIds);
  const ofHost = new Map(room.hosts?.map(({ host, reports }) => [host, reports]));
  let ofTeam = room.reports;
  const full = new Set<string | null>();

  function decide({ identity, host, orderId }: RefusedReport): RefusedFate {
    if (erased.has(orderId)) return 'counted';
    if (known.has(identity)) return 'repeated';
    const ofThisHost = ofHost.get(host) ?? 0;
    if (ofTeam >= reportsOfTeam) full.add(null);
    else if (ofThisHost >= reportsOfHost) full.add(host);
    else {
      ofTeam++;
      ofHost.set(host, ofThisHost + 1);
      return 'kept';
    }
    return 'counted';
  }

  const fates = new Map(reports.map((report) => [report.identity, decide(report)]));
  return { fates, full };
}

/** One report for each identity, with the number of times that it was sent. */
export function mergeRepeated(sent: readonly RefusedReport[]): RefusedReport[] {
  const merged = new Map<string, RefusedReport>();
  for (const report of sent) {
    const before = merged.get(report.identity);
    merged.set(report.identity, before ? { ...before, times: before.times + report.times } : report);
  }
  return [...merged.values()];
}
