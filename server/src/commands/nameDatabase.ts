import { resolve } from 'node:path';
import type { Config } from '../config.js';

/** Names the database that the settings lead to, without user, password and parameters. */
export function nameDatabase({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === null) return `the database in ${resolve(dataDir)}`;
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `the database of DATABASE_URL (${pathname.slice(1)} on ${searchParams.get('host') ?? host})`;
}
