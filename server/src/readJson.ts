import { isUtf8 } from 'node:buffer';
import type { HonoRequest } from 'hono';
import { ApiError } from './errors.js';

/**
 * Reads a JSON body of at most `maxBytes`, whatever its length header claims.
 * @param types the content types taken, without parameters
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readJson(request: HonoRequest, types: string[], maxBytes: number): Promise<unknown> {
  const type = /^[^;]*/
    .exec(request.header('content-type') ?? '')![0]
    .trim()
    .toLowerCase();
  if (!types.includes(type)) {
    throw new ApiError('unsupported_media_type', { message: `Send the body as ${types.join(' or ')}.` });
  }
  const bytes = await readBytes(request, maxBytes);
  if (!isUtf8(bytes)) throw new ApiError('invalid_json', { message: 'The body is not valid UTF-8.' });
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new ApiError('invalid_json');
  }
}

async function readBytes(request: HonoRequest, maxBytes: number): Promise<Buffer> {
  const length = request.header('content-length');
  try {
    // Node cuts a body off at its Content-Length, so then the fast way is safe.
    if (length !== undefined && request.header('transfer-encoding') === undefined) {
      if (Number(length) > maxBytes) throw new ApiError('payload_too_large');
      return Buffer.from(await request.arrayBuffer());
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request.raw.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new ApiError('payload_too_large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('invalid_json', { message: 'The body ended before it was complete.', cause: error });
  }
}
