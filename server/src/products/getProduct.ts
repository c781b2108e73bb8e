import type { Endpoint } from '../http/answerDirectly.js';
import { sideBySide } from '../http/sideBySide.js';
import type { LastSeen } from '../teams/lastSeen.js';
import type { RequireKey } from '../teams/requireKey.js';
import { chooseEncoding } from '../values/body.js';
import { ApiError } from '../values/errors.js';
import { decodeId } from '../values/ids.js';
import { isStorable } from '../values/text.js';
import type { FindProduct } from './lookUpProducts.js';
import { createBodyMemory } from './rememberedBodies.js';

/** Bound of the remembered bodies; beyond it the body that was fetched first is dropped. */
const bytesRemembered = 32 * 1024 * 1024;

/**
 * `GET /svc-api/v1/products/:id` (contract, section 4.1), behind a key. The import built the body; the
 * route sends it as it is stored. `If-None-Match` (RFC 9110, section 13.1.2) gives 304.
 *
 * Every look-up asks the database for the product's current entity tag and for the state of the key, so answers
 * are always fresh. A body that was fetched before with the same tag is not fetched again.
 */
export function getProduct(
  requireKey: RequireKey,
  findProduct: FindProduct,
  lastSeen: LastSeen,
): Endpoint['route'] {
  const remembered = createBodyMemory(bytesRemembered);

  return async function getProduct(c, name) {
    await sideBySide();
    const { teamId, keyHash } = await requireKey(c);
    const headers = c.get('headers');
    const known = remembered.get(`${teamId}/${name}`);
    const callersTags = entityTags(c.req.header('if-none-match'));
    const seenTags = known ? [...callersTags, known.etag] : callersTags;
    const slug = isStorable(name) ? name : '';
    const row = await findProduct(teamId, { keyHash, id: decodeId('prd', name), slug, seenTags });
    if (!row.isKeyLive) throw new ApiError('invalid_api_key');
    lastSeen.key(keyHash);
    if (row.etag === null) throw new ApiError('product_not_found');
    headers.ETag = row.etag;
    headers['Cache-Control'] = 'private, no-cache';
    headers.Vary = 'Accept-Encoding';
    if (callersTags.includes(row.etag) || callersTags.includes('*')) return { status: 304, body: null };
    const body = row.body === null ? known! : remembered.set(`${teamId}/${name}`, row.etag, row.body);
    const { bytes, encoding } = chooseEncoding(body, c.req.header('accept-encoding'));
    if (encoding === null) return { status: 200, body: bytes };
    // Compressed bytes may not share the strong tag (RFC 9110, section 8.8.3.3); a weak tag stands for both.
    headers.ETag = `W/${row.etag}`;
    headers['Content-Encoding'] = encoding;
    return { status: 200, body: bytes };
  };
}

/** The entity tags in an `If-None-Match`, without `W/`: the RFC compares them weakly. `*` stands for every tag. */
function entityTags(header: string | undefined): string[] {
  return header?.match(/"[^"]*"|\*/g) ?? [];
}
