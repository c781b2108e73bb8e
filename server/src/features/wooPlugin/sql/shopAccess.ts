import type { Sql } from '../../../database/connection/connect.js';
import type { ListedSource } from '../../sources/sql/source.js';

type ShopOfSource = Pick<ListedSource, 'teamId' | 'id' | 'shopUrl'>;

/** Stores the address of a source's shop. A source with an API key keeps its address, because no other shop may get the key. */
export async function storeShopUrl(sql: Sql, { teamId, id, shopUrl }: ShopOfSource): Promise<void> {
  await sql`/* storeShopUrl */
    update source set shop_url = ${shopUrl}
    where team_id = ${teamId} and id = ${id} and api_key is null and shop_url is distinct from ${shopUrl}`;
}

/**
 * Stores the first API key of a source, and lets its shop be asked soon.
 * @returns false if the source has an API key already, or is now that of another shop
 */
export async function storeFirstApiKey(
  sql: Sql,
  { teamId, id, shopUrl }: ShopOfSource,
  apiKey: string,
): Promise<boolean> {
  const { count } = await sql`/* storeFirstApiKey */
    update source set api_key = ${apiKey}, sync_at = now(), synced_until = null, synced_at = null, last_sync = null
    where team_id = ${teamId} and id = ${id} and api_key is null and shop_url = ${shopUrl}`;
  return count > 0;
}
