import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../values/once.js';
import { ownPath } from '../values/ownPath.js';

/**
 * One step of the schema, applied once and never changed afterwards. Lines at the top of its text can mark it:
 * - `-- orderbeacon: no transaction`: each statement, which ends with a semicolon at the end of a line, runs separately, for
 *   `create index concurrently`. An interrupted migration runs again from its first statement, so each statement must be harmless
 *   if repeated (`if not exists`). An unfinished index is dropped first. Such a migration creates no table, because the rights that
 *   others get by default on a new table are revoked in the transaction that creates it.
 * - `-- orderbeacon: breaks older servers`: releases that do not know this step refuse the database from then on.
 */
export interface Migration {
  /** Name of the migration's file without `.sql`, such as `000001_schema`. */
  name: string;
  /** Statements of the migration. They run in one transaction, unless a marker says otherwise. */
  text: string;
}

const markers = ['no transaction', 'breaks older servers'] as const;

/**
 * Returns the migrations of this build, the files in `database/migrations`. They are read once, so that unpacking a release under a
 * running server does not change the migrations that the server expects.
 */
export const ownMigrations = once(() => readMigrations(ownPath('database/migrations')));

/**
 * Formats the names of migrations for an operator, in their order. If there are more than three, names only the first and the last,
 * and their number.
 */
export function nameMigrations(names: string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names[0]} to ${names.at(-1)} (${names.length})`;
}

/**
 * @returns true if the comment lines at the top have that marker
 * @throws Error for an unknown marker
 */
export function isMarked({ name, text }: Migration, marker: (typeof markers)[number]): boolean {
  const top = /^(?:--.*(?:\n|$)|\s*\n)*/.exec(text)![0];
  const found = [...top.matchAll(/^--\s*orderbeacon:\s*(.*?)\s*$/gm)].map((match) => match[1]!);
  const unknown = found.find((word) => !(markers as readonly string[]).includes(word));
  if (unknown !== undefined) throw new Error(`The migration ${name} has an unknown marker: ${unknown}`);
  return found.includes(marker);
}

/** Splits a text into statements, each of which ends with a semicolon at the end of a line. */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*(?:--.*)?$/m)
    .filter((statement) => statement.replace(/^\s*--.*$/gm, '').trim() !== '');
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -4), text: readFileSync(join(folder, file), 'utf8') }));
}
