import type { Sql } from '../database/connection/connect.js';
import { readInPieces } from '../database/readInPieces.js';
import { readEmail } from '../values/email.js';
import type { Uuid } from '../values/ids.js';
import { findPerson, type ListedPersonRow, listOddPeople } from './sql/person.js';

const rowsAtOnce = 1_000;

/**
 * Finds a person, and all whose stored email reads as the same one, because release 0.2.0 stored wrapped emails
 * (`<ann@shop.example>`) as people of their own. The person with the plain email is the first. Reads all of the team's
 * people with an unusual email, so it is for commands only.
 */
export async function findSpellings(
  sql: Sql,
  teamId: Uuid,
  { id, email }: { id: Uuid; email: string },
): Promise<ListedPersonRow[]> {
  const plain = await findPerson(sql, teamId, id);
  const found = plain ? [plain] : [];
  for await (const rows of readInPieces(listOddPeople(sql, teamId), rowsAtOnce)) {
    found.push(...rows.filter((row) => row.id !== id && readEmail(row.email) === email));
  }
  return found;
}
