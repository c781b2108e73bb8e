import { createHmac } from 'node:crypto';
import type { Sql } from './connection/connect.js';

/** Reads the installation's secret. The first migration creates it; only a restore replaces it. */
export async function findSecret(sql: Sql): Promise<string> {
  const [row] = await sql<[{ secret: string }]>`/* findSecret */ select secret from installation`;
  return row.secret;
}

/** Derives an installation's id from its secret, without revealing the secret. */
export function installationId(secret: string): string {
  return createHmac('sha256', secret).update('installation').digest('hex').slice(0, 16);
}

/** Reads the public URL of the server that started last on this database; null before the first start. */
export async function findPublicUrl(sql: Sql): Promise<string | null> {
  const [row] = await sql<[{ publicUrl: string | null }]>`/* findPublicUrl */
    select public_url as "publicUrl" from installation`;
  return row.publicUrl;
}

/** Stores a server's public URL for the commands, which may run without the server's settings. */
export async function rememberPublicUrl(sql: Sql, publicUrl: string): Promise<void> {
  await sql`/* rememberPublicUrl */
    update installation set public_url = ${publicUrl} where public_url is distinct from ${publicUrl}`;
}
