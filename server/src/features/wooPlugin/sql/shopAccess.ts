import type { Sql } from '../../../database/connection/connect.js';
import type { ListedSource } from '../../sources/sql/source.js';

type ShopOfSource = Pick<ListedSource, 'teamId' | 'id' | 'shopUrl'>;

/** Stores the address of a source's shop. Changes nothing where the source has a key, which no other shop may get. */
export async function keepShopUrl(sql: Sql, { teamId, id, shopUrl }: ShopOfSource): Promise<void> {
  await sql`/* keepShopUrl */
    update source set shop_url = ${shopUrl}
    where team_id = ${teamId} and id = ${id} and api_key is null and shop_url is distinct from ${shopUrl}`;
}

/** Stores the first key of a source's shop, and asks the shop soon. False where the source has one, or another shop. */
export async function keepFirstKey(
  sql: Sql,
  { teamId, id, shopUrl }: ShopOfSource,
  apiKey: string,
): Promise<boolean> {
  const { count } = await sql`/* keepFirstKey */
    update source set api_key = ${apiKey}, sync_at = now(), synced_until = null, synced_at = null, last_sync = null
    where team_id = ${teamId} and id = ${id} and api_key is null and shop_url = ${shopUrl}`;
  return count > 0;
}
