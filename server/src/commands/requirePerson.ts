import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { findPerson } from '../people/sql/person.js';
import { email as emailSchema } from '../values/email.js';
import { personUuid } from '../values/ids.js';
import { UsageError } from './command.js';

/** Reads the value of `--email`. Throws `UsageError`. */
export function requireEmail(text: string): string {
  const parsed = emailSchema.safeParse(text);
  if (!parsed.success) throw new UsageError(`--email ${parsed.error.issues[0]!.message}, not "${text}".`);
  return parsed.data;
}

/** Finds the person of `--email`. Throws `UsageError`. */
export async function requirePerson(sql: Sql, teamId: string, text: string) {
  const email = requireEmail(text);
  const row = await findPerson(sql, teamId, personUuid(await findSecret(sql), teamId, email));
  if (!row) throw noSuchPerson(email);
  return row;
}

/** Error for an email that nobody in the team has. */
export function noSuchPerson(email: string): UsageError {
  return new UsageError(`This team has no person with the email "${email}".`);
}
