import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { emailSchema } from '../values/email.js';
import { personUuid, type Uuid } from '../values/ids.js';
import { UsageError } from './command.js';

/** The person that `--email` names, whether the team knows them or not. */
export interface NamedPerson {
  id: Uuid;
  email: string;
}

/** Reads the value of `--email`, and computes the person's id. Throws `UsageError`. */
export async function readNamedPerson(sql: Sql, teamId: Uuid, text: string): Promise<NamedPerson> {
  const parsed = emailSchema.safeParse(text);
  if (!parsed.success) throw new UsageError(`--email ${parsed.error.issues[0]!.message}, not "${text}".`);
  const email = parsed.data;
  return { id: personUuid(await findSecret(sql), teamId, email), email };
}

/** Creates the error for an email that nobody in the team has. */
export function noSuchPerson(email: string): UsageError {
  return new UsageError(`This team has no person with the email "${email}".`);
}
