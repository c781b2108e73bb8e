import type { Handle } from '../../http/exchange.js';
import { readTogether } from '../../http/readBody.js';
import { chooseEncoding } from '../../values/body.js';
import { ApiError } from '../../values/errors.js';
import { decodeId } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import { isPostgresText } from '../../values/text.js';
import type { RecordKeyUse } from '../teams/recordKeyUse.js';
import type { IdentifySender } from '../teams/senders.js';
import { createBodyCache } from './bodyCache.js';
import type { FindProduct } from './lookUpProducts.js';

/** Size of the cached bodies; beyond it the oldest body is dropped. */
const cachedBytes = 32 * 1024 * 1024;

export interface GetProductDeps {
  requireKey: IdentifySender['requireKey'];
  findProduct: FindProduct;
  recordKeyUse: RecordKeyUse;
}

/**
 * `GET /svc-api/v1/products/:id` (contract, section 4.1), with an API key. The import built the body, which is sent as it is
 * stored. A matching `If-None-Match` (RFC 9110, section 13.1.2) gets 304.
 *
 * Every look-up reads the product's current entity tag and the state of the key from the database, so answers are always fresh. A
 * body that was fetched before with the same tag is not fetched again.
 */
export function getProduct({ requireKey, findProduct, recordKeyUse }: GetProductDeps): Handle {
  const cache = createBodyCache(cachedBytes);

  return async function getProduct(exchange, name) {
    await readTogether();
    const { teamId, keyHash } = await requireKey(exchange); // 401, 429
    const { headers, incoming } = exchange;
    const cached = cache.get(`${teamId}/${name}`);
    const callersTags = entityTags(incoming.headers['if-none-match']);
    const row = await findProduct(teamId, {
      keyHash,
      id: decodeId('prd', name),
      slug: name.length <= limits.id && isPostgresText(name) ? name.normalize() : '',
      seenTags: cached ? [...callersTags, cached.etag] : callersTags,
    }); // 503
    if (!row.isKeyLive) throw new ApiError('invalid_api_key');
    recordKeyUse(keyHash);
    if (row.etag === null) throw new ApiError('product_not_found');
    headers.ETag = row.etag;
    headers['Cache-Control'] = 'private, no-cache';
    headers.Vary = 'Accept-Encoding';
    if (callersTags.includes(row.etag) || callersTags.includes('*')) return { status: 304, body: null };
    const body = row.body === null ? cached! : cache.set(`${teamId}/${name}`, row.etag, row.body);
    const { bytes, encoding } = chooseEncoding(body, incoming.headers['accept-encoding']);
    if (encoding === null) return { status: 200, body: bytes };
    // Compressed bytes may not share the strong tag (RFC 9110, section 8.8.3.3). A weak tag is valid for both.
    headers.ETag = `W/${row.etag}`;
    headers['Content-Encoding'] = encoding;
    return { status: 200, body: bytes };
  };
}

/** Lists the entity tags of an `If-None-Match`, without `W/`, because the RFC compares them weakly. `*` matches every tag. */
function entityTags(header: string | undefined): string[] {
  return header?.match(/"[^"]*"|\*/g) ?? [];
}
