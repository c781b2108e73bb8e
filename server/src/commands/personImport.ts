import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { personUuid, type Uuid } from '../ids.js';
import { email, text } from '../schemas/text.js';
import { addPeople } from '../sql/addPeople.js';
import type { Sql } from '../sql/connect.js';
import { findSecret } from '../sql/findSecret.js';
import { UsageError } from './command.js';

/** People of one statement. */
const batchRows = 1000;

const noEmailColumn = 'The first line must name the columns, one of them email.';

/**
 * Adds the people of a CSV stream with the columns `email` and `name`, in any order and case, all or none;
 * other columns are not looked at. Resolves with how many rows were read and how many people they were.
 */
export async function importPeople(sql: Sql, teamId: Uuid, csv: AsyncIterable<string>) {
  const secret = await findSecret(sql);
  const name = text(255);
  return sql.begin(async (transaction) => {
    const tx = transaction as unknown as Sql;
    let rows = 0;
    const seen = new Set<Uuid>();
    let batch = new Map<Uuid, { id: Uuid; email: string; name: string | null }>();
    const flush = async () => {
      await addPeople(tx, teamId, [...batch.values()]);
      batch = new Map();
    };
    for await (const { record, info } of records(csv)) {
      rows++;
      const address = email.safeParse(record.email ?? '');
      const given = record.name?.trim() ? name.safeParse(record.name.trim()) : null;
      const wrong = [
        ['email', address],
        ['name', given],
      ] as const;
      for (const [field, parsed] of wrong) {
        if (parsed && !parsed.success) {
          throw new UsageError(
            `Nothing was imported: line ${info.lines}: ${field} ${parsed.error.issues[0]!.message}.`,
          );
        }
      }
      const id = personUuid(secret, teamId, address.data!);
      seen.add(id);
      batch.set(id, { id, email: address.data!, name: batch.get(id)?.name ?? given?.data ?? null });
      if (batch.size >= batchRows) await flush();
    }
    await flush();
    return { imported: seen.size, rows };
  });
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
    skip_empty_lines: true,
    columns: (heading: string[]) => {
      hasHeading = true;
      const columns = heading.map((column) => column.toLowerCase());
      if (!columns.includes('email')) throw new UsageError(noEmailColumn);
      return columns;
    },
  });
  // What breaks the pipe ends the loop below, where it is caught.
  pipeline(csv, parser, () => {});
  try {
    for await (const row of parser) yield row as CsvRecord;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')) {
      throw new UsageError(`Nothing was imported: ${error.message}.`);
    }
    throw error;
  }
  if (!hasHeading) throw new UsageError(noEmailColumn);
}
