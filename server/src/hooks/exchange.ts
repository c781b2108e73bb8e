import type { ClientRequest, IncomingMessage } from 'node:http';
import { describeFailure, isSuccess } from './describeFailure.js';

/** Time for all of a request: DNS, connection, TLS, headers and body. */
export const answerMs = 15_000;
/** Time for the rest of an answer whose status says success: it is shown to people, and nothing waits for it. */
const restMs = 1_000;
/** Bytes that are read of an answer, headers and interim answers included. */
const bytesAtMost = 65_536;

/** An answer as far as it was read, or the reason why there is none. */
export type Exchanged = { response: IncomingMessage; chunks: Buffer[] } | { error: string };

/**
 * Sends a request and reads its answer, in limited time and to limited bytes. A request that meets a connection which the
 * receiver has just closed is opened once more. Never rejects.
 * @param open makes a request that was not sent yet
 */
export function exchange(open: () => ClientRequest, body: string): Promise<Exchanged> {
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    let isOver = false;
    let restTimer: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      const isConnected = request?.socket?.connecting === false;
      finish(`No ${isConnected ? 'answer' : 'connection'} within ${answerMs / 1000} s.`);
    }, answerMs);

    /** @param error reason why there is no answer, if there is none */
    function finish(error = ''): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(restTimer);
      // A connection is used again only if the exchange is complete.
      if (!response?.complete || !request?.writableFinished) request?.destroy();
      resolve(response ? { response, chunks } : { error });
    }

    function read(begun: IncomingMessage, boundBytes: () => void): void {
      response = begun;
      if (isSuccess(begun.statusCode!)) restTimer = setTimeout(() => finish(), restMs);
      begun
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          boundBytes();
        })
        .on('end', () => finish())
        .on('error', () => finish());
    }

    function start(): void {
      const current = open();
      request = current;
      const boundBytes = createByteBound(current, () =>
        finish('The receiver sent over 64 KiB before its answer.'),
      );
      current
        .on('information', boundBytes)
        .on('response', (begun) => read(begun, boundBytes))
        .on('error', (error) => {
          if (!isOver && !response && isClosedWhileIdle(current, error)) start();
          else finish(describeFailure(error));
        })
        .on('close', () => {
          if (current === request) finish(describeFailure({ code: 'ECONNRESET' }));
        })
        .end(body);
    }

    try {
      start();
    } catch (error) {
      finish(describeFailure(error as Error));
    }
  });
}

/** Returns a function that looks whether a request's connection has carried too many bytes for it. */
function createByteBound(request: ClientRequest, onOver: () => void): () => void {
  let bytesBefore = 0;
  request.on('socket', (socket) => {
    bytesBefore = socket.bytesRead;
  });
  return () => {
    if ((request.socket?.bytesRead ?? 0) - bytesBefore > bytesAtMost) onOver();
  };
}

/** True when the receiver closed an idle connection while the request was on its way. */
function isClosedWhileIdle(request: ClientRequest, { code = '' }: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(code);
}
