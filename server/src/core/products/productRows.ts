import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** A look-up of a team's product, by id or slug. */
export interface ProductRequest {
  /** SHA-256 of the API key of the request. */
  keyHash: string;
  id: Uuid | null;
  slug: string;
  /** Entity tags of the bodies that need not be fetched; `*` means every tag. */
  seenTags: string[];
}

/** The result of a look-up. */
export interface FoundProductRow {
  /** The number of the request. */
  number: number;
  isKeyLive: boolean;
  /** Null when there is no such product. */
  etag: string | null;
  /** Null when there is no such product, or its tag is among `seenTags`. */
  body: string | null;
}

/**
 * Checks keys and fetches the stored bodies of one team's products by id or slug, in one statement, and resolves
 * with one row per request, in no order. A body whose tag is among `seenTags` is not sent.
 */
export function findProducts(sql: Sql, teamId: Uuid, requests: (ProductRequest & { number: number })[]) {
  return sql<FoundProductRow[]>`/* findProducts */
    select number, exists (select from api_key where hash = "keyHash" and revoked_at is null) as "isKeyLive",
      product.etag,
      case when not product.etag = any("seenTags") and not '*' = any("seenTags") then product.body end as body
    from json_to_recordset(${JSON.stringify(requests)}::text::json) as request (
      number float8, "keyHash" text, id uuid, slug text, "seenTags" text[]
    )
    left join lateral (
      select etag, body from product
      where team_id = ${teamId} and (product.id = request.id or product.slug = request.slug)
      limit 1
    ) product on true`;
}

/** Lists a team's products by slug. */
export function listProducts(sql: Sql, teamId: Uuid) {
  return sql<
    (Omit<ProductRow, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date })[]
  >`/* listProducts */
    select id, slug, document::text, body, etag, created_at as "createdAt", updated_at as "updatedAt"
    from product where team_id = ${teamId} order by slug`;
}

/** A row of `product`; `document` and `body` are JSON texts. */
export interface ProductRow {
  id: Uuid;
  slug: string;
  document: string;
  body: string;
  etag: string;
  createdAt: string;
  updatedAt: string;
}

/** Inserts a product, or updates the product of that id. */
export async function storeProduct(sql: Sql, teamId: Uuid, row: ProductRow): Promise<void> {
  await sql`/* storeProduct */
    insert into product (team_id, id, slug, document, body, etag, created_at, updated_at)
    values (${teamId}, ${row.id}, ${row.slug}, ${row.document}::text::json, ${row.body}, ${row.etag},
      ${row.createdAt}, ${row.updatedAt})
    on conflict (team_id, id) do update set document = excluded.document, body = excluded.body,
      etag = excluded.etag, updated_at = excluded.updated_at`;
}
