import { isZone } from '../core/teams/sql/team.js';
import { nameRule, readStorefrontUrl, readTeamName, storefrontRule } from '../core/teams/teamFields.js';
import type { Sql } from '../database/connection/connect.js';
import { UsageError } from './command.js';

/** Trims and checks `--name`. @throws UsageError if the name is empty, too long or cannot be stored */
export function requireName(text: string): string {
  const name = readTeamName(text);
  if (name === null) throw new UsageError(`--name must be ${nameRule}.`);
  return name;
}

/** Checks `--storefront-url`, and removes the slash at its end. @throws UsageError */
export function requireStorefrontUrl(text: string): string {
  const url = readStorefrontUrl(text);
  if (url === null) throw new UsageError(`--storefront-url must be ${storefrontRule}, not "${text}".`);
  return url;
}

/** Checks `--zone`. Node and the database have to know it. @throws UsageError */
export async function requireZone(sql: Sql, zone: string): Promise<string> {
  if (!(await isZone(sql, zone)))
    throw new UsageError(`--zone must be a time zone such as Europe/Berlin, not "${zone}".`);
  return zone;
}
