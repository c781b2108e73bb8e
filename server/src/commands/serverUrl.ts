import { type Config, publicUrlOf } from '../config.js';
import type { Sql } from '../database/connection/connect.js';
import { findPublicUrl } from '../database/installation.js';

/**
 * The server's URL for what a command prints or stores: `PUBLIC_URL`, else that of the server which started last on this
 * database, else one made of `HOST` and `PORT`.
 */
export async function chooseServerUrl(sql: Sql, config: Config): Promise<string> {
  return config.publicUrl ?? (await findPublicUrl(sql)) ?? publicUrlOf(config, config.port);
}
