import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Creates the strong entity tag of a body, with its quotes (RFC 9110, section 8.8.3): 27 characters of its SHA-256. */
export function entityTag(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Compressions in which bodies are kept. */
export type Encoding = 'br' | 'gzip';

/** A body that is kept in memory, in the bytes that are sent. */
export interface Body {
  /** Strong entity tag, with its quotes. */
  etag: string;
  bytes: Bytes;
  /** The same body compressed; null if it was not compressed. */
  gzip: Bytes | null;
  br: Bytes | null;
}

/**
 * Compresses a body once for all its answers.
 * @param options.brotli set for a file of some kilobytes that many clients fetch; it takes some 30 ms
 */
export async function createBody(bytes: Bytes, { brotli = false } = {}): Promise<Body> {
  const [gzipped, br] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    brotli ? promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }) : null,
  ]);
  return {
    etag: entityTag(bytes),
    bytes,
    gzip: new Uint8Array(gzipped),
    br: br && new Uint8Array(br),
  };
}

/**
 * Chooses the smallest form of a body that the client accepts.
 * @param accepted the request's `Accept-Encoding` (RFC 9110, section 12.5.3)
 */
export function chooseEncoding(
  body: Body,
  accepted: string | undefined,
): { bytes: Bytes; encoding: Encoding | null } {
  for (const encoding of ['br', 'gzip'] as const) {
    const bytes = body[encoding];
    if (bytes && accepted !== undefined && isNamed[encoding].test(accepted)) return { bytes, encoding };
  }
  return { bytes: body.bytes, encoding: null };
}

/** Matches a header that accepts an encoding. A header that rules it out, as in `br; q=0.0`, does not match. */
const naming = (encoding: Encoding) =>
  new RegExp(String.raw`\b${encoding}\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`, 'i');
const isNamed = { br: naming('br'), gzip: naming('gzip') };
