import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Body } from '../../values/body.js';

/** Least length of a body that is compressed. A shorter one fits into one packet uncompressed (RFC 9293, section 3.7.1). */
const worthGzipBytes = 1400;

/**
 * Caches bodies by name, with their entity tags. Bodies are compressed in the background, except short ones. A body may be stale:
 * the caller compares its tag with the one in the database.
 * @param bytesAtMost size of the cache; beyond it the oldest body is dropped
 */
export function createBodyCache(bytesAtMost: number) {
  const bodies = new Map<string, Body>();
  let cachedBytes = 0;

  function drop(name: string) {
    const body = bodies.get(name);
    if (body) cachedBytes -= sizeOf(body);
    bodies.delete(name);
  }

  async function compress(name: string, body: Body) {
    const gzipped = new Uint8Array(await promisify(gzip)(body.bytes));
    if (bodies.get(name) !== body) return;
    body.gzip = gzipped;
    cachedBytes += gzipped.byteLength;
  }

  return {
    get: (name: string): Body | undefined => bodies.get(name),
    set(name: string, etag: string, text: string): Body {
      const known = bodies.get(name);
      // Several callers may have fetched the same body concurrently. Only the first one is kept and compressed.
      if (known?.etag === etag) return known;
      const body: Body = { etag, bytes: new TextEncoder().encode(text), gzip: null, br: null };
      drop(name);
      bodies.set(name, body);
      cachedBytes += sizeOf(body);
      while (cachedBytes > bytesAtMost) drop(bodies.keys().next().value!);
      if (body.bytes.byteLength >= worthGzipBytes) void compress(name, body);
      return body;
    },
  };
}

function sizeOf({ bytes, gzip }: Body): number {
  return bytes.byteLength + (gzip?.byteLength ?? 0);
}
