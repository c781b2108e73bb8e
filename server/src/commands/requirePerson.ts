import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { findSpellings } from '../people/findSpellings.js';
import { emailSchema } from '../values/emailSchema.js';
import { personUuid } from '../values/ids.js';
import { UsageError } from './command.js';

/** Reads the value of `--email`. Throws `UsageError`. */
export function requireEmail(text: string): string {
  const parsed = emailSchema.safeParse(text);
  if (!parsed.success) throw new UsageError(`--email ${parsed.error.issues[0]!.message}, not "${text}".`);
  return parsed.data;
}

/** Finds the person of `--email` in all spellings, at least one; see `findSpellings`. Throws `UsageError`. */
export async function requirePerson(sql: Sql, teamId: string, text: string) {
  const email = requireEmail(text);
  const people = await findSpellings(sql, teamId, {
    id: personUuid(await findSecret(sql), teamId, email),
    email,
  });
  if (people.length === 0) throw noSuchPerson(email);
  return people;
}

/** Error for an email that nobody in the team has. */
export function noSuchPerson(email: string): UsageError {
  return new UsageError(`This team has no person with the email "${email}".`);
}
