import type { Handler } from 'hono';
import type { AppEnv } from '../context.js';
import { ApiError } from '../errors.js';
import { decodeId } from '../ids.js';
import { isStorable } from '../schemas/text.js';
import type { Sql } from '../sql/connect.js';
import { findProduct } from '../sql/findProduct.js';

/**
 * `GET /svc-api/v1/products/:id` (contract, section 4.1), behind `requireKey`. The body was built when the
 * product was imported; it goes out as it is stored. `If-None-Match` (RFC 9110, section 13.1.2) gives 304.
 */
export function getProduct(sql: Sql): Handler<AppEnv> {
  return async function getProduct(c) {
    const name = c.req.param('id')!;
    const seenTags = entityTags(c.req.header('if-none-match'));
    const row = await findProduct(sql, c.var.key, {
      id: decodeId('prd', name),
      slug: isStorable(name) ? name : '',
      seenTags,
    });
    if (!row.isKeyLive) throw new ApiError('invalid_api_key');
    if (row.etag === null) throw new ApiError('product_not_found');
    c.header('ETag', row.etag);
    c.header('Cache-Control', 'private, no-cache');
    if (row.body === null) return c.body(null, 304);
    return c.body(row.body, 200, { 'Content-Type': 'application/json' });
  };
}

/** The tags of an `If-None-Match`, compared weakly as the RFC says; `*` matches whatever is there. */
function entityTags(header: string | undefined): string[] {
  return header?.match(/"[^"]*"|\*/g) ?? [];
}
