import type { Handler } from 'hono';
import type { AppEnv } from '../context.js';
import { ApiError } from '../errors.js';
import { decodeId, type Uuid } from '../ids.js';
import type { FindProduct } from '../lookUpProducts.js';
import { reply } from '../reply.js';
import { isStorable } from '../schemas/text.js';

/** Bodies that are remembered, in bytes; past this the one that was fetched first is forgotten. */
const bytesRemembered = 32 * 1024 * 1024;

/**
 * `GET /svc-api/v1/products/:id` (contract, section 4.1), behind `requireKey`. The body was built when the
 * product was imported; it goes out as it is stored. `If-None-Match` (RFC 9110, section 13.1.2) gives 304.
 *
 * Every look-up asks the database which entity tag the product has now, and whether the key lives. A body
 * that was fetched before with that very tag is not fetched again: so answers are always fresh, and a look-up
 * moves some bytes instead of a whole product.
 */
export function getProduct(findProduct: FindProduct): Handler<AppEnv> {
  const remembered = createBodyMemory(bytesRemembered);

  return async function getProduct(c) {
    const name = c.req.param('id')!;
    const { teamId, keyHash } = c.get('key');
    const headers = c.get('headers');
    const known = remembered.get(teamId, name);
    const callersTags = entityTags(c.req.header('if-none-match'));
    const seenTags = known ? [...callersTags, known.etag] : callersTags;
    const slug = isStorable(name) ? name : '';
    const row = await findProduct(teamId, { keyHash, id: decodeId('prd', name), slug, seenTags });
    if (!row.isKeyLive) throw new ApiError('invalid_api_key');
    if (row.etag === null) throw new ApiError('product_not_found');
    headers.ETag = row.etag;
    headers['Cache-Control'] = 'private, no-cache';
    if (callersTags.includes(row.etag) || callersTags.includes('*')) return reply(c, 304, null);
    const body = row.body === null ? known!.body : new TextEncoder().encode(row.body);
    if (row.body !== null) remembered.set(teamId, name, { etag: row.etag, body });
    return reply(c, 200, body);
  };
}

interface RememberedBody {
  etag: string;
  body: Uint8Array<ArrayBuffer>;
}

function createBodyMemory(bytesAtMost: number) {
  const bodies = new Map<string, RememberedBody>();
  let bytes = 0;
  const forget = (at: string) => {
    bytes -= bodies.get(at)?.body.byteLength ?? 0;
    bodies.delete(at);
  };
  return {
    get: (teamId: Uuid, name: string) => bodies.get(`${teamId}/${name}`),
    set(teamId: Uuid, name: string, remembered: RememberedBody) {
      forget(`${teamId}/${name}`);
      bodies.set(`${teamId}/${name}`, remembered);
      bytes += remembered.body.byteLength;
      while (bytes > bytesAtMost) forget(bodies.keys().next().value!);
    },
  };
}

/** The tags of an `If-None-Match`, compared weakly as the RFC says; `*` matches whatever is there. */
function entityTags(header: string | undefined): string[] {
  return header?.match(/"[^"]*"|\*/g) ?? [];
}
