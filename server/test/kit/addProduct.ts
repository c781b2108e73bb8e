import type { Sql } from '../../src/database/connection/connect.js';
import { entityTag } from '../../src/values/body.js';
import { encodeId, newUuid, type Uuid } from '../../src/values/ids.js';

/** Adds a product to a team as an import would, with the fields that a test gives. Resolves with its id. */
export async function addProduct(
  sql: Sql,
  team: Uuid,
  product: { slug: string; [field: string]: unknown },
): Promise<Uuid> {
  const id = newUuid();
  const body = JSON.stringify({ success: true, data: { id: encodeId('prd', id), ...product } });
  await sql`
    insert into product (team_id, id, slug, document, body, etag, created_at, updated_at)
    values (${team}, ${id}, ${product.slug}, ${JSON.stringify(product)}::text::json, ${body}, ${entityTag(body)}, now(), now())`;
  return id;
}
