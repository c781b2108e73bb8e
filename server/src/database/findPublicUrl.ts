import type { Sql } from './connection/connect.js';

/** Reads the public URL of the server that started last on this database; null before the first. */
export async function findPublicUrl(sql: Sql): Promise<string | null> {
  const [row] = await sql<[{ publicUrl: string | null }]>`/* findPublicUrl */
    select public_url as "publicUrl" from installation`;
  return row.publicUrl;
}
