import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../values/once.js';
import { ownPath } from '../values/ownPath.js';

/**
 * One step of the schema, applied once and never changed afterwards. Lines at the top of its text can mark it:
 * - `-- orderbeacon: no transaction`: each statement, which ends with a semicolon at the end of a line, runs by
 *   itself, for `create index concurrently`. A migration that was interrupted runs again from its first statement, so
 *   each must be harmless when it is repeated (`if not exists`); an index that was left unfinished is dropped first. It makes no table, because rights that others
 *   get by default on a new one are revoked in the transaction that makes it.
 * - `-- orderbeacon: breaks older servers`: releases that do not know this step refuse the database from then on.
 */
export interface Migration {
  /** Its file's name without `.sql`, such as `000001_schema`. */
  name: string;
  /** Statements, run together in one transaction unless they are marked. */
  text: string;
}

const markers = ['no transaction', 'breaks older servers'] as const;

/**
 * Returns the migrations of this build, the files in `database/migrations`. They are read once, so that unpacking a
 * release under a running server does not change what that server asks for.
 */
export const ownMigrations = once(() => readMigrations(ownPath('database/migrations')));

/** Names migrations for an operator, in their order: all of a few, otherwise the first, the last and their number. */
export function nameMigrations(names: string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names[0]} to ${names.at(-1)} (${names.length})`;
}

/** True when the comment lines at the top contain that marker. Throws for an unknown marker. */
export function isMarked({ name, text }: Migration, marker: (typeof markers)[number]): boolean {
  const top = /^(?:--.*(?:\n|$)|\s*\n)*/.exec(text)![0];
  const found = [...top.matchAll(/^--\s*orderbeacon:\s*(.*?)\s*$/gm)].map((match) => match[1]!);
  const unknown = found.find((word) => !(markers as readonly string[]).includes(word));
  if (unknown !== undefined) throw new Error(`The migration ${name} has an unknown marker: ${unknown}`);
  return found.includes(marker);
}

/** Splits a text into statements; each ends with a semicolon at the end of a line. */
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
