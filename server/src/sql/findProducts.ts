import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** A look-up of a product of a team. */
export interface ProductRequest {
  /** SHA-256 of the API key that asks for it. */
  keyHash: string;
  id: Uuid | null;
  slug: string;
  /** Entity tags of bodies that the caller has; `*` stands for any. */
  seenTags: string[];
}

/** What a look-up found. */
export interface FoundProductRow {
  isKeyLive: boolean;
  /** Null: no such product. */
  etag: string | null;
  /** Null: no such product, or the caller has it already. */
  body: string | null;
}

/**
 * Checks keys and fetches stored bodies of one team's products by id or slug, in one statement, and resolves
 * with one row a request, in their order. A body that the caller has seen stays in the database.
 */
export function findProducts(sql: Sql, teamId: Uuid, requests: ProductRequest[]) {
  return sql<FoundProductRow[]>`/* findProducts */
    select exists (select from api_key where hash = "keyHash" and revoked_at is null) as "isKeyLive",
      product.etag,
      case when not product.etag = any("seenTags") and not '*' = any("seenTags") then product.body end as body
    from rows from (json_to_recordset(${JSON.stringify(requests)}::text::json) as (
      "keyHash" text, id uuid, slug text, "seenTags" text[]
    )) with ordinality as request
    left join lateral (
      select etag, body from product
      where team_id = ${teamId} and (product.id = request.id or product.slug = request.slug)
      limit 1
    ) product on true
    order by ordinality`;
}
