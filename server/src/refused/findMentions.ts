import type { Sql } from '../database/connection/connect.js';
import { emailsIn, readEmail } from '../values/email.js';
import type { Uuid } from '../values/ids.js';
import { hashEmail } from './emailHashes.js';
import { listMentionCandidates } from './sql/emailHashes.js';

/** Reports of one piece: 3 MB with bodies of 64 KiB. */
const pieceRows = 50;

/**
 * Finds a team's kept reports that have no valid email of a buyer and mention this one, such as `bob@ or ann@shop.example`, and
 * those whose email reads as this one, such as `<ann@shop.example>`, which release 0.2.0 kept as it is.
 */
export async function findMentions(sql: Sql, teamId: Uuid, email: string): Promise<Uuid[]> {
  // An older release stored emails of hosts with other letters as they were sent.
  const meant = readEmail(email) ?? email;
  const found: Uuid[] = [];
  let after: Uuid | null = null;
  for (;;) {
    const rows = await listMentionCandidates(sql, teamId, {
      hash: hashEmail(meant),
      after,
      limit: pieceRows,
    });
    for (const row of rows) {
      const isMeant = row.email === null ? emailsIn(row.body).has(meant) : readEmail(row.email) === meant;
      if (isMeant) found.push(row.id);
    }
    if (rows.length < pieceRows) return found;
    after = rows.at(-1)!.id;
  }
}
