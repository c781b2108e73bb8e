import { TextDecoder } from 'node:util';
import { FileError } from './errors.js';

/** Bytes that reveal the format of a file. */
const headBytes = 4;

/** The sentence about a file in another encoding, whose names would be garbled. */
export const notUtf8 = 'The file is not UTF-8 text. Save it as UTF-8 (in Excel: "CSV UTF-8").';

/** Magic numbers of files that people mistake for a CSV. */
const others = [
  ['PK\x03\x04', 'an Excel workbook or another archive'],
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook'],
  ['%PDF', 'a PDF'],
  ['\x1f\x8b', 'a compressed file'],
] as const;

/**
 * Decodes a file in pieces: UTF-8, or UTF-16 with the byte order mark that Excel writes, which is removed.
 * @throws FileError for a workbook and other files that are no text, and for other encodings, whose names would be garbled
 */
export async function* decodeFile(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of bytes) {
      if (decoder) {
        yield decoder.decode(chunk, { stream: true });
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length < headBytes) continue;
      decoder = decoderOf(head);
      yield decoder.decode(head, { stream: true });
    }
    yield decoder ? decoder.decode() : decoderOf(head).decode(head);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new FileError(notUtf8);
  }
}

function decoderOf(head: Buffer): TextDecoder {
  const other = others.find(([magic]) => head.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1')));
  if (other) throw new FileError(`The file is ${other[1]}, not a CSV. Save or export it as CSV.`);
  const mark = head.toString('latin1', 0, 2);
  const encoding = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[mark] ?? 'utf-8';
  return new TextDecoder(encoding, { fatal: true });
}
