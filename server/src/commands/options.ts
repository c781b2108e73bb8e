import { isZone } from '../core/teams/sql/team.js';
import type { Sql } from '../database/connection/connect.js';
import { limits } from '../values/limits.js';
import { isStorable } from '../values/text.js';
import { parseWebUrl, toBaseUrl } from '../values/url.js';
import { UsageError } from './command.js';

/** Trims and checks `--name`. Throws `UsageError` for a name that is empty, too long or cannot be stored. */
export function requireName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > limits.text || !isStorable(trimmed)) {
    throw new UsageError(`--name must be 1 to ${limits.text} characters.`);
  }
  return trimmed;
}

/** Checks `--storefront-url`, and returns it without a slash at its end. Throws `UsageError`. */
export function requireStorefrontUrl(text: string): string {
  const url = parseWebUrl(text);
  if (!url || url.search || url.hash || url.username || url.password) {
    throw new UsageError(
      `--storefront-url must be an http or https URL without user name and query, not "${text}".`,
    );
  }
  return toBaseUrl(url);
}

/** Checks `--zone`, which Node and the database have to know. Throws `UsageError`. */
export async function requireZone(sql: Sql, zone: string): Promise<string> {
  if (!(await isZone(sql, zone)))
    throw new UsageError(`--zone must be a time zone such as Europe/Berlin, not "${zone}".`);
  return zone;
}
