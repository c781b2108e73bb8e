import { ApiError } from '../../../values/errors.js';
import { tooLarge } from './uploads.js';

/** Bytes that are searched together. */
const pieceBytes = 8_192;
/** Bytes at most of one field, and of the headers of one part. A form has at most `fieldsAtMost` fields. */
const fieldBytes = 16_384;
const fieldsAtMost = 30;

/**
 * Reads a form of type `multipart/form-data` (RFC 7578) up to its first file, and yields the file's bytes as they
 * arrive. Ignores other fields.
 * @throws ApiError `unsupported_media_type`, `invalid_request`. Reading the file throws `payload_too_large`, or
 * `invalid_request` if it ends too early.
 */
export async function readUpload(request: Request, fileBytes: number): Promise<AsyncGenerator<Uint8Array>> {
  const type = request.headers.get('content-type') ?? '';
  const [, quoted, bare] =
    /^multipart\/form-data;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined || !request.body)
    throw new ApiError('unsupported_media_type', { message: 'Send the form as a browser does.' });
  const pieces = inPieces(request.body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line break before it.
  let held: Buffer = Buffer.from('\r\n');

  /** Appends the next bytes to `held`. */
  async function readMore(): Promise<void> {
    const { value, done } = await pieces.next();
    if (done) throw new ApiError('invalid_request', { message: 'The file did not arrive completely.' });
    held = Buffer.concat([held, value]);
  }

  /** Takes the bytes before a delimiter, and drops the delimiter. */
  async function takeUntil(sign: Buffer): Promise<Buffer> {
    for (;;) {
      const at = held.indexOf(sign);
      if (at > fieldBytes || (at === -1 && held.length > fieldBytes + sign.length)) throw notAForm();
      if (at !== -1) {
        const taken = held.subarray(0, at);
        held = held.subarray(at + sign.length);
        return taken;
      }
      await readMore();
    }
  }

  async function* takeFile(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (;;) {
      const at = held.indexOf(delimiter);
      // The beginning of a delimiter may have arrived.
      const end = at === -1 ? Math.max(0, held.length - delimiter.length) : at;
      bytes += end;
      if (bytes > fileBytes) throw tooLarge(fileBytes);
      if (end > 0) yield held.subarray(0, end);
      held = held.subarray(end);
      if (at !== -1) return;
      await readMore();
    }
  }

  await takeUntil(delimiter);
  for (let count = 0; count < fieldsAtMost; count++) {
    const head = String(await takeUntil(Buffer.from('\r\n\r\n')));
    if (!/^content-disposition:[^\r\n]*[;\s]name="/im.test(head)) throw notAForm();
    if (/^content-disposition:[^\r\n]*;\s*filename\*?=/im.test(head)) return takeFile();
    await takeUntil(delimiter);
  }
  throw notAForm();
}

function notAForm(): ApiError {
  return new ApiError('invalid_request', { message: 'Choose a file, and send the form as a browser does.' });
}

/**
 * Joins the chunks of a body into pieces of some kilobytes, because each piece is searched once. If the connection
 * breaks off, ends early.
 */
async function* inPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [chunks, bytes]: [Uint8Array[], number] = [[], 0];
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes < pieceBytes) continue;
      yield Buffer.concat(chunks);
      [chunks, bytes] = [[], 0];
    }
  } catch {
    return;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}
