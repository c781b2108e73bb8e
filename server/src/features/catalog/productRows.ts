import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists a team's products, sorted by slug. */
export function listProducts(sql: Sql, teamId: Uuid) {
  return sql<
    (Omit<ProductRow, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date })[]
  >`/* listProducts */
    select id, slug, document::text, body, etag, created_at as "createdAt", updated_at as "updatedAt"
    from product where team_id = ${teamId} order by slug`;
}

/** A row of `product`; `document` and `body` are JSON. */
export interface ProductRow {
  id: Uuid;
  slug: string;
  document: string;
  body: string;
  etag: string;
  createdAt: string;
  updatedAt: string;
}

/** Inserts a product. If the team has one with its id, updates that. */
export async function storeProduct(sql: Sql, teamId: Uuid, row: ProductRow): Promise<void> {
  await sql`/* storeProduct */
    insert into product (team_id, id, slug, document, body, etag, created_at, updated_at)
    values (${teamId}, ${row.id}, ${row.slug}, ${row.document}::text::json, ${row.body}, ${row.etag},
      ${row.createdAt}, ${row.updatedAt})
    on conflict (team_id, id) do update set document = excluded.document, body = excluded.body,
      etag = excluded.etag, updated_at = excluded.updated_at`;
}
