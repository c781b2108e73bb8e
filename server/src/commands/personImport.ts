import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { lineEnds, rowCharacters } from '../compare/csvRows.js';
import { retryConflicts } from '../database/batch/retryConflicts.js';
import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { inSavepoint, inTransaction } from '../database/inTransaction.js';
import { addStagedPeople, createStage, stagePeople } from '../people/sql/stagedPerson.js';
import { readCell } from '../values/csvCells.js';
import { emailSchema } from '../values/emailSchema.js';
import { personUuid, type Uuid } from '../values/ids.js';
import { limits } from '../values/limits.js';
import { text } from '../values/text.js';
import { UsageError } from './command.js';

/** People per statement. */
const batchRows = 1000;

const noEmailColumn = 'The first line must name the columns, and one of them must be email.';

/**
 * Adds the people of a CSV stream, all or none. The columns `email` and `name` may be in any order and case. Other columns
 * are ignored. Resolves with the number of rows and the number of distinct people. Rows go into a temporary table first
 * and are added once all are checked, so a slow stream holds no locks. Throws a `UsageError` that names the line and the
 * field of a wrong row.
 */
export async function importPeople(sql: Sql, teamId: Uuid, csv: AsyncIterable<string>) {
  const secret = await findSecret(sql);
  return inTransaction(sql, async (tx) => {
    await createStage(tx);
    let rows = 0;
    let batch: Person[] = [];
    for await (const person of people(csv, (email) => personUuid(secret, teamId, email))) {
      rows++;
      batch.push(person);
      if (batch.length < batchRows) continue;
      await stagePeople(tx, once(batch));
      batch = [];
    }
    await stagePeople(tx, once(batch));
    // Rolling back to a savepoint releases its locks and keeps the staged rows.
    const imported = await retryConflicts(() => inSavepoint(tx, (inner) => addStagedPeople(inner, teamId)));
    return { imported, rows };
  });
}

interface Person {
  id: Uuid;
  email: string;
  name: string | null;
}

/** Removes repeated people. The first name of a person stays. */
function once(batch: Person[]): Person[] {
  const found = new Map<Uuid, Person>();
  for (const person of batch) {
    found.set(person.id, { ...person, name: found.get(person.id)?.name ?? person.name });
  }
  return [...found.values()];
}

/** Checks the rows. Throws a `UsageError` that names the line and the field. */
async function* people(csv: AsyncIterable<string>, idOf: (email: string) => Uuid): AsyncGenerator<Person> {
  const nameSchema = text(limits.text);
  for await (const { record, info } of records(csv)) {
    const address = emailSchema.safeParse(readCell(record.email ?? ''));
    const sentName = readCell(record.name ?? '').trim();
    const name = sentName ? nameSchema.safeParse(sentName) : null;
    const wrong = [
      ['email', address],
      ['name', name],
    ] as const;
    for (const [field, parsed] of wrong) {
      if (parsed && !parsed.success) {
        throw new UsageError(
          `Nothing was imported: line ${info.lines}: ${field} ${parsed.error.issues[0]!.message}.`,
        );
      }
    }
    yield { id: idOf(address.data!), email: address.data!, name: name?.data ?? null };
  }
}

/** Hint for a heading with another separator than the comma, as Excel writes it in much of Europe. Empty for any other heading. */
function headingHint([first = '', ...others]: string[]): string {
  const separator = ([';', '\t'] as const).find((each) =>
    first.split(each).some((name) => name.trim() === 'email'),
  );
  return !separator || others.length > 0 ? '' : separatorHint(separator);
}

function separatorHint(separator: string): string {
  const name = separator === ';' ? 'semicolons' : 'tabs';
  return ` This file separates its columns by ${name}: save it with commas (in Excel: "CSV UTF-8 (Comma delimited)"; where that still writes semicolons, replace them).`;
}

interface CsvRecord {
  record: Record<string, string | undefined>;
  info: { lines: number };
}

async function* records(csv: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let hasHeading = false;
  const parser = parse({
    info: true,
    trim: true,
    record_delimiter: lineEnds,
    skip_empty_lines: true,
    max_record_size: rowCharacters,
    columns: (heading: string[]) => {
      hasHeading = true;
      const columns = heading.map((column) => column.toLowerCase());
      if (!columns.includes('email')) throw new UsageError(noEmailColumn + headingHint(columns));
      for (const name of ['email', 'name'])
        if (columns.indexOf(name) !== columns.lastIndexOf(name))
          throw new UsageError(`Nothing was imported: two columns are called ${name}; rename one of them.`);
      return columns;
    },
  });
  // An error in the pipe is thrown by the loop below, so the callback has nothing to do.
  pipeline(csv, parser, () => {});
  try {
    for await (const row of parser) yield row as CsvRecord;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser stops behind the first name of `"email";"name"`.
    const hint = !hasHeading && error.message.includes('got ";"') ? separatorHint(';') : '';
    throw new UsageError(`Nothing was imported: ${error.message}.${hint}`);
  }
  if (!hasHeading) throw new UsageError(noEmailColumn);
}
