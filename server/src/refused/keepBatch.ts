import type { Sql } from '../database/connection/connect.js';
import { isAllowed } from '../teams/domains.js';
import { findEntries } from '../teams/sql/domain.js';
import type { Uuid } from '../values/ids.js';
import { decideOutcomes, mergeRepeated, type RefusedOutcome, senderOf } from './decideOutcomes.js';
import type { Described } from './describeRefused.js';
import type { FullSenders } from './fullSenders.js';
import type { RefusedBounds } from './refusedBounds.js';
import { addRefused, findKeptAlready, lockPlaces, repeatRefused } from './sql/keepRefused.js';
import { pushOutRefused } from './sql/removeRefused.js';

/**
 * Keeps a team's reports, inside a transaction, which has the team's places for itself. Resolves with the outcome of each
 * identity, and with the number of reports that were pushed out.
 */
export async function keepBatch(
  tx: Sql,
  teamId: Uuid,
  sent: readonly Described[],
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
    }),
  ]);
  const reports = merged.map((report) => ({ ...report, isAllowed: isAllowed(report.host, domains) }));
  const { outcomeOf, full, surplus } = decideOutcomes(kept, reports, bounds, (kind) =>
    fullSenders.mayPush(teamId, kind, domains),
  );
  for (const sender of full) fullSenders.add(teamId, sender);
  const of = (outcome: RefusedOutcome) =>
    reports.filter(({ identity }) => outcomeOf.get(identity) === outcome);
  if (of('repeated').length > 0) await repeatRefused(tx, teamId, of('repeated'));
  if (of('kept').length > 0) await addRefused(tx, teamId, of('kept'));
  let pushedOut = 0;
  for (const each of surplus) pushedOut += await pushOutRefused(tx, teamId, each);
  return { outcomeOf, pushedOut };
}
