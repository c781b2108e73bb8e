import type { Described } from './describeRefused.js';
import type { RefusedBounds, SenderKind } from './refusedBounds.js';
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
  /** Senders that have no place left; see `senderOf`. */
  full: Set<string>;
  /** Places that each kind of sender now has too many. */
  surplus: { kind: SenderKind; places: number }[];
}

/** Tells the kind of a report's sender. */
export function kindOf({ keyHash, isAllowed }: Pick<RefusedReport, 'keyHash' | 'isAllowed'>): SenderKind {
  if (keyHash !== null) return 'key';
  return isAllowed ? 'allowed' : 'unknown';
}

/** Names a report's sender within its kind: the key's hash, or the page's host. */
export function senderOf({ keyHash, host }: Pick<RefusedReport, 'keyHash' | 'host'>): string {
  return keyHash ?? host;
}

/**
 * Decides which of a team's reports are kept: all that are kept already, and new ones up to the places of their sender.
 * Where the kind of sender has no place left, a sender with fewer than the fullest pushes out reports of that one. A
 * report of an erased buyer's order would bring the email back, so it is only counted.
 * @param reports each identity once
 * @param mayPush asked for each report that would push out others
 */
export function decideOutcomes(
  kept: KeptAlready,
  reports: readonly RefusedReport[],
  { places, placesOfSender }: Pick<RefusedBounds, 'places' | 'placesOfSender'>,
  mayPush: (kind: SenderKind) => boolean,
): RefusedOutcomes {
  const known = new Set(kept.identities);
  const erasedOrderIds = new Set<string | null>(kept.erasedOrderIds);
  const erasedReportIds = new Set<string | null>(kept.erasedReportIds);
  const erasedKeys = new Set<string | null>(kept.erasedKeys);
  const ofKind = new Map(kept.kinds?.map((row) => [row.kind, row.places]));
  const fullest = new Map(kept.kinds?.map((row) => [row.kind, row.fullest]));
  const ofSender = new Map(kept.senders?.map((row) => [`${row.kind} ${row.sender}`, row.places]));
  const full = new Set<string>();

  function isOfErased({ orderId, reportId, idempotencyKey }: RefusedReport): boolean {
    return erasedOrderIds.has(orderId) || erasedReportIds.has(reportId) || erasedKeys.has(idempotencyKey);
  }

  function decide(report: RefusedReport): RefusedOutcome {
    if (isOfErased(report)) return 'counted';
    if (known.has(report.identity)) return 'repeated';
    const kind = kindOf(report);
    const sender = `${kind} ${senderOf(report)}`;
    const before = ofSender.get(sender) ?? 0;
    const after = before + report.places;
    const total = (ofKind.get(kind) ?? 0) + report.places;
    const isCrowded = total > places[kind];
    const isFullest = isCrowded && before > 0 && after >= (fullest.get(kind) ?? 0);
    if (after > placesOfSender || isFullest) {
      full.add(senderOf(report));
      return 'counted';
    }
    if (isCrowded && !mayPush(kind)) return 'counted';
    ofKind.set(kind, total);
    ofSender.set(sender, after);
    return 'kept';
  }

  const outcomeOf = new Map(reports.map((report) => [report.identity, decide(report)]));
  const surplus = [...ofKind].map(([kind, held]) => ({ kind, places: held - places[kind] }));
  return { outcomeOf, full, surplus: surplus.filter(({ places }) => places > 0) };
}

/** Merges reports of one identity into one, with the number of times that it was sent. */
export function mergeRepeated(sent: readonly Described[]): Described[] {
  const merged = new Map<string, Described>();
  for (const report of sent) {
    const before = merged.get(report.identity);
    merged.set(report.identity, before ? { ...before, times: before.times + report.times } : report);
  }
  return [...merged.values()];
}
