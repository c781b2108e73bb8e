import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { isAllowed } from '../teams/domains.js';
import { findEntries } from '../teams/sql/domain.js';
import type { Uuid } from '../values/ids.js';
import { hashEmails } from './emailHashes.js';
import { placeBytes, type RefusedBounds } from './refusedBounds.js';
import { findUnreadTeam, listUnread, type ReadRefused, setRead } from './sql/emailHashes.js';
import { findKeptAlready, lockPlaces } from './sql/keepRefused.js';
import { pushOutRefused } from './sql/removeRefused.js';
import { removeRefused } from './sql/replayRefused.js';

/** Reports of one statement: 1 MB with bodies of 64 KiB. */
const stepRows = 16;
/** Reports that one statement pushes out. */
const pushedAtMost = 500;

/**
 * Reads kept reports that were not read yet: finds the emails in bodies without a valid one, and the places that reports
 * take which a server of release 0.2.0 has kept. Then a team that has too many gives up the surplus. In short steps.
 */
export async function readUnread(sql: Sql, bounds: Pick<RefusedBounds, 'places'>): Promise<void> {
  for (let teamId = await findUnreadTeam(sql); teamId; teamId = await findUnreadTeam(sql)) {
    await readTeam(sql, teamId);
    while ((await pushOutSurplus(sql, teamId, bounds)) > 0);
  }
}

async function readTeam(sql: Sql, teamId: Uuid): Promise<void> {
  const domains = await findEntries(sql, teamId);
  for (;;) {
    const reports = await listUnread(sql, teamId, stepRows);
    if (reports.length === 0) return;
    const read: ReadRefused[] = [];
    const tooManyEmails: Uuid[] = [];
    // One after the other, because each reader takes its share of the CPU.
    for (const { id, host, body, isCut } of reports) {
      const hashes = body === null ? [] : await hashEmails(body);
      if (hashes === null) tooManyEmails.push(id);
      else read.push({ id, isCut, isAllowed: isAllowed(host, domains), hashes });
    }
    if (tooManyEmails.length > 0) await removeRefused(sql, teamId, tooManyEmails);
    await setRead(sql, teamId, read, placeBytes);
  }
}

/** Pushes out some of a team's reports where it has too many; resolves with their number. */
async function pushOutSurplus(
  sql: Sql,
  teamId: Uuid,
  bounds: Pick<RefusedBounds, 'places'>,
): Promise<number> {
  return inTransaction(sql, async (tx) => {
    await lockPlaces(tx, teamId);
    const { kinds } = await findKeptAlready(tx, teamId, {});
    let removed = 0;
    for (const { kind, places } of kinds ?? []) {
      const surplus = Math.min(places - bounds.places[kind], pushedAtMost);
      if (surplus > 0) removed += await pushOutRefused(tx, teamId, { kind, places: surplus });
    }
    return removed;
  });
}
