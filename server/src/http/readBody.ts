import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../values/errors.js';
import { parseJson } from '../values/json.js';
import { describeJsonFault } from '../values/jsonFault.js';
import { jsonBounds, limits } from '../values/limits.js';
import { createSemaphore } from '../values/semaphore.js';
import { withoutByteOrderMark } from '../values/text.js';
import type { ClientOf } from './rateLimit.js';

/** Length up to which bodies are parsed together. Each longer one is parsed in a separate turn of the event loop. Most are shorter. */
export const bytesTogether = 4_096;

/**
 * Limits of the two queues for bodies over `bytesTogether`. Requests with an API key have a separate queue, so that strangers do
 * not delay backends. In each queue, senders take turns.
 */
const lines = { concurrent: 1, waiting: Number.POSITIVE_INFINITY };
const turnsOfKeys = createSemaphore(lines);
const turnsOfPages = createSemaphore(lines);

/**
 * Reads a JSON body of at most 64 KiB, whatever its length header claims, and resolves with its text and its value. A number that a
 * float would change becomes a text. A byte order mark before the JSON is ignored, as RFC 8259, section 8.1, allows.
 * @param types the accepted content types, without parameters
 * @param onTooLong called with the first 64 KiB of a longer body, or with a body of too many values
 * @param clientOf finds the client of a longer body without a key
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readJson(
  incoming: IncomingMessage,
  types: readonly string[],
  onTooLong?: (part: Buffer) => void,
  clientOf: ClientOf = () => '',
): Promise<{ text: string; value: unknown }> {
  const sent = incoming.headers['content-type'] ?? '';
  if (!types.includes(sent) && !types.includes(sent.split(';', 1)[0]!.trim().toLowerCase())) {
    throw new ApiError('unsupported_media_type', {
      message: `Send the body as ${types.join(' or ')}, and say so in the header Content-Type.`,
    });
  }
  const bytes = await readBytes(incoming, limits.bodyBytes, onTooLong);
  await (bytes.byteLength > bytesTogether ? ownTurn(incoming, clientOf) : readTogether());
  if (!isUtf8(bytes)) throw new ApiError('invalid_json', { message: describeNoText(incoming) });
  const text = withoutByteOrderMark(bytes.toString());
  if (text === '') throw new ApiError('invalid_json', { message: 'The body is empty; send a JSON object.' });
  try {
    return { text, value: parseJson(text, jsonBounds) };
  } catch (error) {
    if (!(error instanceof RangeError))
      throw new ApiError('invalid_json', { message: describeJsonFault(text) });
    onTooLong?.(bytes);
    throw new ApiError('payload_too_large', { message: error.message });
  }
}

/** The current turn of the event loop, for callers that read together. */
let turn: Promise<void> | undefined;

/**
 * Waits until the event loop has read everything that arrived in this turn; then all callers of the turn continue together. Their
 * requests go through each step of the app one after another, so the code of a step is in the processor's caches for all but the
 * first. On an idle server the turn ends immediately.
 */
export function readTogether(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/**
 * Waits for a turn of the event loop that no other body uses, so that other requests are answered in between. Without it, 256
 * reports of 50 KiB that arrived together delayed all others by 265 ms.
 */
function ownTurn(incoming: IncomingMessage, clientOf: ClientOf): Promise<unknown> {
  const { authorization } = incoming.headers;
  return authorization === undefined
    ? turnsOfPages.run(() => nextTurn(), clientOf(incoming))
    : turnsOfKeys.run(() => nextTurn(), authorization);
}

function describeNoText({ headers }: IncomingMessage): string {
  return headers['content-encoding'] === undefined
    ? 'The body is not valid UTF-8.'
    : 'The body is compressed; send it as it is, without Content-Encoding.';
}

/**
 * Reads a body from Node's own stream. Reading through the web's `Request` costs twice as much. The code that answers must handle
 * the unread rest of a refused body.
 * @param onTooLong called with the first `maxBytes` of a longer body; without it these are not waited for
 * @throws ApiError `payload_too_large`; `invalid_json` if the connection closes before the end
 */
export function readBytes(
  incoming: IncomingMessage,
  maxBytes: number,
  onTooLong?: (part: Buffer) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () =>
      new ApiError('payload_too_large', {
        message: `The body is over ${maxBytes / 1024} KiB; send a smaller one, with fewer items or shorter texts.`,
      });
    const refuse = (refusal: ApiError) => {
      incoming.off('data', take);
      reject(refusal);
    };
    const take = (chunk: Buffer) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      onTooLong?.(Buffer.concat(chunks).subarray(0, maxBytes));
      refuse(tooLarge());
    };
    if (!onTooLong && Number(incoming.headers['content-length']) > maxBytes) return refuse(tooLarge());
    const refuseCut = () =>
      refuse(new ApiError('invalid_json', { message: 'The body ended before it was complete.' }));
    // A request that was closed while it waited for something else does not emit `close` again.
    if (incoming.destroyed && !incoming.readableEnded) return refuseCut();
    incoming.on('data', take);
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on('close', () => {
      // Creating an error is expensive because of its stack, so the many requests that ended well create none.
      if (!incoming.readableEnded) refuseCut();
    });
  });
}
