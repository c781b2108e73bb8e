import type { Sql } from './connection/connect.js';

/** Writes the public URL of a server down for the commands, which may run without the server's settings. */
export async function rememberPublicUrl(sql: Sql, publicUrl: string): Promise<void> {
  await sql`/* rememberPublicUrl */
    update installation set public_url = ${publicUrl} where public_url is distinct from ${publicUrl}`;
}
