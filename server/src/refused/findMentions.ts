import type { Sql } from '../database/connection/connect.js';
import { emailsIn } from '../values/email.js';
import type { Uuid } from '../values/ids.js';
import { listWithoutEmail } from './sql/listRefused.js';

/** Reports of one piece: 3 MB with bodies of 64 KiB. */
const pieceRows = 50;

/**
 * Finds a team's kept reports that have no valid email of a buyer and mention this one, such as `bob@ or ann@shop.example`.
 * Reads all their bodies, so it is for commands only.
 */
export async function findMentions(sql: Sql, teamId: Uuid, email: string): Promise<Uuid[]> {
  const found: Uuid[] = [];
  let after: Uuid | null = null;
  for (;;) {
    const rows = await listWithoutEmail(sql, teamId, { after, limit: pieceRows });
    found.push(...rows.filter(({ body }) => emailsIn(body).has(email)).map(({ id }) => id));
    if (rows.length < pieceRows) return found;
    after = rows.at(-1)!.id;
  }
}
