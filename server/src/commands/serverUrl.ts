import { type Config, publicUrlOf } from '../config.js';
import type { Sql } from '../database/connection/connect.js';
import { findPublicUrl } from '../database/installation.js';

/**
 * Chooses the server's URL for texts that a command prints or stores: `PUBLIC_URL`; if missing, the URL of the server that
 * started last on this database; if missing, a URL of `HOST` and `PORT`.
 */
export async function chooseServerUrl(sql: Sql, config: Config): Promise<string> {
  return config.publicUrl ?? (await findPublicUrl(sql)) ?? publicUrlOf(config, config.port);
}
