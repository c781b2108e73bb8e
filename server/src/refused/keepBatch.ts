import type { Sql } from '../database/connection/connect.js';
import { isAllowed } from '../teams/domains.js';
import { findEntries } from '../teams/sql/domain.js';
import type { Uuid } from '../values/ids.js';
import { decideOutcomes, mergeRepeated, type RefusedOutcome, senderOf } from './decideOutcomes.js';
import type { Described } from './describeRefused.js';
import type { FullSenders } from './fullSenders.js';
import type { RefusalCount } from './refusalCounts.js';
import type { RefusedBounds } from './refusedBounds.js';
import { addRefused, findKeptAlready, lockPlaces, repeatRefused } from './sql/keepRefused.js';
import { addCountsWithDomains } from './sql/refusalCount.js';
import { pushOutRefused } from './sql/removeRefused.js';

/**
 * Keeps a team's reports and adds its counts, inside a transaction, which has the team's places for itself. Resolves with
 * the outcome of each identity, and with the number of reports that were pushed out.
 */
export async function keepBatch(
  tx: Sql,
  teamId: Uuid,
  sent: readonly Described[],
  counted: readonly RefusalCount[],
  bounds: RefusedBounds,
  fullSenders: FullSenders,
): Promise<{ outcomeOf: Map<string, RefusedOutcome>; pushedOut: number }> {
  const merged = mergeRepeated(sent);
  // Sent together, they cost one round trip.
  const [, domains, kept] = await Promise.all([
    lockPlaces(tx, teamId),
    findEntries(tx, teamId),
    findKeptAlready(tx, teamId, {
      senders: [...new Set(merged.map(senderOf))],
      identities: merged.map(({ identity }) => identity),
      orderIds: merged.flatMap(({ orderId }) => orderId ?? []),
      reportIds: merged.flatMap(({ reportId }) => reportId ?? []),
      idempotencyKeys: merged.flatMap(({ idempotencyKey }) => idempotencyKey ?? []),
    }),
  ]);
  const reports = merged.map((report) => ({ ...report, isAllowed: isAllowed(report.host, domains) }));
  const { outcomeOf, full, surplus } = decideOutcomes(kept, reports, bounds, (kind) =>
    fullSenders.mayPush(teamId, kind, domains),
  );
  for (const sender of full) fullSenders.add(teamId, sender);
  const of = (outcome: RefusedOutcome) =>
    reports.filter(({ identity }) => outcomeOf.get(identity) === outcome);
  const [repeated, added] = [of('repeated'), of('kept')];
  await Promise.all([
    repeated.length > 0 && repeatRefused(tx, teamId, repeated),
    added.length > 0 && addRefused(tx, teamId, added),
    addCountsWithDomains(tx, teamId, counted, domains),
  ]);
  let pushedOut = 0;
  for (const each of surplus) pushedOut += await pushOutRefused(tx, teamId, each);
  return { outcomeOf, pushedOut };
}
