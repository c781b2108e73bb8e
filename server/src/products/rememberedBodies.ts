import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A body that was fetched before, in the bytes that are sent. */
export interface RememberedBody {
  etag: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Null while compression runs, and for bodies too short to compress. */
  gzipped: Uint8Array<ArrayBuffer> | null;
}

/** A shorter body fits into one packet uncompressed (RFC 9293, section 3.7.1). */
const worthGzipBytes = 1400;

/**
 * Remembers bodies by name, with their entity tags and their gzip. A body may be stale: the caller compares its
 * tag with the one in the database.
 * @param bytesAtMost how much is kept; beyond it the body that was fetched first is dropped
 */
export function createBodyMemory(bytesAtMost: number) {
  const bodies = new Map<string, RememberedBody>();
  let keptBytes = 0;

  function forget(name: string) {
    const body = bodies.get(name);
    if (body) keptBytes -= sizeOf(body);
    bodies.delete(name);
  }

  async function compress(name: string, body: RememberedBody) {
    const gzipped = new Uint8Array(await promisify(gzip)(body.bytes));
    if (bodies.get(name) !== body) return;
    body.gzipped = gzipped;
    keptBytes += gzipped.byteLength;
  }

  return {
    get: (name: string): RememberedBody | undefined => bodies.get(name),
    set(name: string, etag: string, text: string): RememberedBody {
      const body: RememberedBody = { etag, bytes: new TextEncoder().encode(text), gzipped: null };
      forget(name);
      bodies.set(name, body);
      keptBytes += sizeOf(body);
      while (keptBytes > bytesAtMost) forget(bodies.keys().next().value!);
      if (body.bytes.byteLength >= worthGzipBytes) void compress(name, body);
      return body;
    },
  };
}

function sizeOf({ bytes, gzipped }: RememberedBody): number {
  return bytes.byteLength + (gzipped?.byteLength ?? 0);
}
