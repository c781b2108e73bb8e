import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { codedError } from '../../values/publicLookup.js';
import type { HookRequest } from './hookBody.js';

/** Bytes that are read from a connection at most. */
export const bytesAtMost = 65_536;
/** Pieces in which an answer of any length may arrive. Beyond them, the pieces must have at least `bytesOfPiece` bytes on average. */
const piecesOfAnyAnswer = 256;
const bytesOfPiece = 64;
/** Bytes that the parser reads together. It cannot be stopped within them: 64 KiB in chunks of one byte took 16 ms. */
const bytesParsed = 1_024;

/**
 * Sends a POST on an open connection. Resolves with the final answer when its headers have arrived.
 *
 * Node's client skips interim answers (RFC 9110, section 15.2); undici fails on 100. The connection is closed if it has
 * carried too many bytes, or far more pieces than its bytes need, because each piece is work for this process.
 */
export function postOn(
  socket: Socket,
  url: URL,
  { headers, body }: Pick<HookRequest, 'headers' | 'body'>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => slowly(socket),
      method: 'POST',
      path: url.pathname + url.search,
      headers: { host: url.host, 'accept-encoding': 'identity', ...headers },
      maxHeaderSize: bytesAtMost,
      // Some receivers end lines with LF only. Nothing follows the answer, so nobody can hide another one behind it.
      insecureHTTPParser: true,
    });
    const refuseUpgrade = () => reject(codedError('OTHER_PROTOCOL'));
    sent.on('response', (answer) => {
      // To Node, a 101 without a protocol is not an upgrade.
      if (answer.statusCode === 101) return refuseUpgrade();
      const isWithin = boundPieces(socket);
      const push = answer.push.bind(answer);
      // The parser calls this for each chunk.
      answer.push = (chunk: Buffer | null) => (chunk === null || isWithin(chunk.byteLength)) && push(chunk);
      resolve(answer);
    });
    sent.on('upgrade', refuseUpgrade);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Wraps a connection, so that it is read in short pieces, and ends if there are too many. */
function slowly(socket: Socket): Duplex {
  const isWithin = boundPieces(socket);
  const wrapped = new Duplex({
    read: () => {},
    write: (bytes, _, callback) => void socket.write(bytes, callback),
    destroy(error, callback) {
      socket.destroy();
      callback(error);
    },
  });
  socket.on('data', (read: Buffer) => {
    isWithin(read.byteLength);
    for (let at = 0; at < read.byteLength && !socket.destroyed; at += bytesParsed)
      wrapped.push(read.subarray(at, at + bytesParsed));
  });
  socket.on('end', () => wrapped.push(null));
  socket.on('error', (error) => wrapped.destroy(error));
  socket.on('close', () => wrapped.destroy());
  return wrapped;
}

/**
 * Creates the function that counts a piece. If there are too many pieces or bytes, it closes the connection and returns
 * false.
 */
function boundPieces(socket: Socket): (bytes: number) => boolean {
  let [pieces, bytes] = [0, 0];
  return (more) => {
    pieces++;
    bytes += more;
    const isWithin = bytes <= bytesAtMost && pieces <= piecesOfAnyAnswer + bytes / bytesOfPiece;
    if (!isWithin && !socket.destroyed) socket.destroy(codedError('TOO_LONG'));
    return isWithin;
  };
}
