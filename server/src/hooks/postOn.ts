import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { codedError } from '../values/publicLookup.js';
import type { HookRequest } from './hookBody.js';

/** Bytes that are read of a connection. */
export const bytesAtMost = 65_536;
/** Pieces that an answer of any length may come in, and the bytes that each further one needs on average. */
const piecesOfAnyAnswer = 256;
const bytesOfPiece = 64;

/**
 * Sends a POST on a connection that is open. Resolves with the final answer when its headers have arrived; interim ones of any
 * status are passed over (RFC 9110, section 15.2). Node's client does this, and undici takes no 100. The connection is closed
 * when it has carried too many bytes, or came in far more pieces than its bytes need, because each piece is work for this
 * process.
 */
export function postOn(
  socket: Socket,
  url: URL,
  { headers, body }: Pick<HookRequest, 'headers' | 'body'>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: { host: url.host, 'accept-encoding': 'identity', ...headers },
      maxHeaderSize: bytesAtMost,
      // Some receivers end lines in LF alone. Nothing follows the answer, so nobody can hide another one behind it.
      insecureHTTPParser: true,
    });
    const bound = () => boundPieces(() => socket.destroy(codedError('TOO_LONG')));
    // The parser has its listener when this event comes, so that it reads first.
    sent.on('socket', () => {
      const isRead = bound();
      socket.on('data', ({ byteLength }: Buffer) => isRead(byteLength));
    });
    const refuseUpgrade = () => reject(codedError('OTHER_PROTOCOL'));
    sent.on('response', (answer) => {
      // One that names no protocol is no upgrade to Node.
      if (answer.statusCode === 101) return refuseUpgrade();
      const isTaken = bound();
      const push = answer.push.bind(answer);
      // The parser calls this for each chunk; one read of the connection may hold thousands.
      answer.push = (chunk: Buffer | null) => (chunk === null || isTaken(chunk.byteLength)) && push(chunk);
      resolve(answer);
    });
    sent.on('upgrade', refuseUpgrade);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Makes a function that counts a piece, and returns true while bytes and pieces are within their limits. */
function boundPieces(onTooMany: () => void): (bytes: number) => boolean {
  let [pieces, bytes] = [0, 0];
  return (more) => {
    pieces++;
    bytes += more;
    const isWithin = bytes <= bytesAtMost && pieces <= piecesOfAnyAnswer + bytes / bytesOfPiece;
    if (!isWithin) onTooMany();
    return isWithin;
  };
}
