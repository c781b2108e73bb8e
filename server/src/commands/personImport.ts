import { addPeople } from '../core/people/sql/person.js';
import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { retryConflicts } from '../database/inTransaction.js';
import { cellText, openCsv } from '../values/csvFile.js';
import { columnKey, isOfFirstNames, keysOf, listHeads, personHeads } from '../values/csvHeads.js';
import { emailSchema } from '../values/email.js';
import { FileError } from '../values/errors.js';
import { personUuid, type Uuid } from '../values/ids.js';
import { limits } from '../values/limits.js';
import { text } from '../values/text.js';
import { UsageError } from './command.js';

/** Number of people per statement. */
const batchRows = 1000;
/** Number of refused rows that are kept in memory and reported. */
const refusedAtMost = 1000;

const nameSchema = text(limits.text);

/** Result of an import. */
export interface ImportedPeople {
  /** Number of people. A person who occurs twice, far apart in the file, may count twice. */
  imported: number;
  rows: number;
  /** Number of rows without a person. `refused` has the first 1,000 of them. */
  refusedRows: number;
  refused: { line: number; message: string }[];
}

/**
 * Adds the people of a CSV file. It has a column of emails, and one of names, or two of first and last names. Adds 1,000 at a
 * time, so that a slow stream holds no locks. An import that broke off can be repeated. Rows with an invalid email or name are
 * refused, and the others are added.
 * @throws UsageError if the file is no CSV of people
 */
export async function importPeople(
  sql: Sql,
  teamId: Uuid,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImportedPeople> {
  const secret = await findSecret(sql);
  const outcome: ImportedPeople = { imported: 0, rows: 0, refusedRows: 0, refused: [] };
  let batch = new Map<Uuid, Person>();
  const addBatch = async () => {
    await retryConflicts(() => addPeople(sql, teamId, [...batch.values()]));
    outcome.imported += batch.size;
    batch = new Map();
  };
  try {
    for await (const { email, name } of readPeople(bytes, outcome)) {
      const id = personUuid(secret, teamId, email);
      // If a person occurs twice, the first name counts.
      batch.set(id, { id, email, name: batch.get(id)?.name ?? name });
      if (batch.size === batchRows) await addBatch();
    }
    await addBatch();
    return outcome;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const added =
      outcome.imported === 0 ? 'Nothing was imported' : `Imported ${outcome.imported} people, and no more`;
    throw new UsageError(`${added}: ${error.message}`);
  }
}

interface Person {
  id: Uuid;
  email: string;
  name: string | null;
}

/** Yields the people of a file, counts its rows, and collects the refused ones. */
async function* readPeople(
  bytes: AsyncIterable<Uint8Array>,
  outcome: ImportedPeople,
): AsyncGenerator<Omit<Person, 'id'>> {
  const { head, rows } = await openCsv(bytes);
  const { emailAt, nameAt } = chooseColumns(head);
  for await (const { cells, line } of rows) {
    outcome.rows++;
    const sentName = nameAt
      .map((index) => cellText(cells, index))
      .filter(Boolean)
      .join(' ');
    const email = emailSchema.safeParse(cellText(cells, emailAt));
    const name = sentName === '' ? null : nameSchema.safeParse(sentName);
    if (email.success && name?.success !== false) {
      yield { email: email.data, name: name?.data ?? null };
      continue;
    }
    outcome.refusedRows++;
    const [field, error] = email.success ? ['name', name!.error!] : ['email', email.error];
    if (outcome.refused.length < refusedAtMost)
      outcome.refused.push({ line, message: `${field} ${error.issues[0]!.message}` });
  }
}

/** Finds the column of the emails, and the columns that together are the name. */
function chooseColumns(head: readonly string[]): { emailAt: number; nameAt: number[] } {
  const keys = head.map(columnKey);
  const find = (heads: readonly string[]) => {
    const key = heads.find((each) => keys.includes(each));
    if (key !== undefined && keys.indexOf(key) !== keys.lastIndexOf(key))
      throw new FileError(`Two columns are called "${head[keys.indexOf(key)]}"; rename one of them.`);
    return key === undefined ? undefined : keys.indexOf(key);
  };
  const emailAt = find(keysOf(personHeads.email));
  if (emailAt === undefined)
    throw new FileError(`The first line must name a column email. ${listHeads(head)}`);
  const nameAt = find(keysOf(personHeads.name));
  if (nameAt === undefined) return { emailAt, nameAt: [] };
  const lastNameAt = isOfFirstNames(keys[nameAt]!) ? find(keysOf(personHeads.lastName)) : undefined;
  return { emailAt, nameAt: [nameAt, lastNameAt].filter((index) => index !== undefined) };
}
