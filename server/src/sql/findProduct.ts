import type { Uuid } from '../ids.js';
import type { Sql } from './connect.js';

/** What a look-up found. */
export interface FoundProductRow {
  isKeyLive: boolean;
  /** Null: no such product. */
  etag: string | null;
  /** Null: no such product, or the caller has it already. */
  body: string | null;
}

/**
 * Checks that the key lives and fetches a product's stored body by id or slug, in one statement. A body
 * that the caller has seen stays in the database.
 * @param wanted.seenTags entity tags that the caller knows; `*` stands for any
 */
export async function findProduct(
  sql: Sql,
  { teamId, keyHash }: { teamId: Uuid; keyHash: string },
  wanted: { id: Uuid | null; slug: string; seenTags: string[] },
): Promise<FoundProductRow> {
  const [row] = await sql<[FoundProductRow]>`/* findProduct */
    select exists (select from api_key where hash = ${keyHash} and revoked_at is null) as "isKeyLive",
      product.etag,
      case when product.etag = any(seen.tags) or '*' = any(seen.tags) then null else product.body end as body
    from (select string_to_array(${wanted.seenTags.join('\n')}, E'\\n') as tags) seen
    left join product on product.team_id = ${teamId} and (product.id = ${wanted.id} or product.slug = ${wanted.slug})
    limit 1`;
  return row;
}
