import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { ProductRow } from './storeProduct.js';

/** Lists a team's products by slug. */
export function listProducts(sql: Sql, teamId: Uuid) {
  return sql<
    (Omit<ProductRow, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date })[]
  >`/* listProducts */
    select id, slug, document::text, body, etag, created_at as "createdAt", updated_at as "updatedAt"
    from product where team_id = ${teamId} order by slug`;
}
