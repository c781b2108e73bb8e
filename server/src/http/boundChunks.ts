import type { IncomingMessage, ServerResponse } from 'node:http';

/** Chunks that a body of any length may have. */
export const chunksOfAnyBody = 256;
/** Bytes that each further chunk has to have on average. */
const bytesOfChunk = 64;

/**
 * Ends the connection of a body that comes in far more chunks than its bytes need: 64 KiB in chunks of one byte took 200 ms,
 * and 8 ms in one. A connection is not used again after a body in chunks, because of one that nobody reads Node would look at
 * every chunk, too. Browsers say the length of what they send, and have no such chunks.
 */
export function boundChunks(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  response.shouldKeepAlive = false;
  let chunks = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  // The parser calls this for each chunk, also while nobody reads.
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    chunks++;
    bytes += chunk.byteLength;
    if (chunks <= chunksOfAnyBody + bytes / bytesOfChunk) return push(chunk);
    request.socket.destroy();
    return false;
  };
}
