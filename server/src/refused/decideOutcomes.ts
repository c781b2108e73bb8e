import type { RefusedBounds } from './refusedBounds.js';
import type { RefusedReport } from './refusedReport.js';
import type { KeptAlready } from './sql/keepRefused.js';

/**
 * The outcome of keeping a refused report: `kept` as a new entry, `repeated` when it was kept before, only `counted` past
 * the limits or for the order of an erased buyer, `dropped` when too many others waited.
 */
export type RefusedOutcome = 'kept' | 'repeated' | 'counted' | 'dropped';

/** The outcomes of reports that were refused together. */
export interface RefusedOutcomes {
  outcomeOf: Map<RefusedReport['identity'], RefusedOutcome>;
  /** Hosts whose quota is used up; `null` stands for the whole team. */
  full: Set<string | null>;
}

/**
 * Decides which of a team's reports are kept: all that are kept already, and new ones up to the quotas of their host and
 * of the team. A report of an erased buyer's order would bring the email back, so it is only counted.
 * @param reports each identity once
 */
export function decideOutcomes(
  kept: KeptAlready,
  reports: readonly RefusedReport[],
  { reportsOfTeam, reportsOfHost }: Pick<RefusedBounds, 'reportsOfTeam' | 'reportsOfHost'>,
): RefusedOutcomes {
  const known = new Set(kept.identities);
  const erased = new Set<string | null>(kept.erasedOrderIds);
  const ofHost = new Map(kept.hosts?.map(({ host, reports }) => [host, reports]));
  let ofTeam = kept.reports;
  const full = new Set<string | null>();

  function decide({ identity, host, orderId }: RefusedReport): RefusedOutcome {
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

  const outcomeOf = new Map(reports.map((report) => [report.identity, decide(report)]));
  return { outcomeOf, full };
}

/** Merges reports of one identity into one, with the number of times that it was sent. */
export function mergeRepeated(sent: readonly RefusedReport[]): RefusedReport[] {
  const merged = new Map<string, RefusedReport>();
  for (const report of sent) {
    const before = merged.get(report.identity);
    merged.set(report.identity, before ? { ...before, times: before.times + report.times } : report);
  }
  return [...merged.values()];
}
