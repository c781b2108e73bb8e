import { TextDecoder } from 'node:util';
import { FileError } from './fileError.js';

/** Bytes that tell the encoding. */
const headBytes = 512;

/**
 * Decodes a file in pieces: UTF-8, or UTF-16 as Excel writes it, with or without a byte order mark, which is left out.
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
    if (decoder) yield decoder.decode();
    else yield decoderOf(head).decode(head);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new FileError('The file is not UTF-8 text. Save it as UTF-8 (in Excel: "CSV UTF-8").');
  }
}

/** Magic numbers of files that merchants take for a CSV. */
const others = [
  ['PK\x03\x04', 'an Excel workbook or another archive'],
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook'],
  ['%PDF', 'a PDF'],
  ['\x1f\x8b', 'a compressed file'],
] as const;

function decoderOf(head: Buffer): TextDecoder {
  const other = others.find(([magic]) => head.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1')));
  if (other) throw new FileError(`The file is ${other[1]}, not a CSV. Save or export it as CSV.`);
  return new TextDecoder(encodingOf(head), { fatal: true });
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a mark, every other byte of English column names is zero.
  const zerosAt = (odd: number) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length;
  if (zerosAt(1) > head.length / 4 && zerosAt(0) === 0) return 'utf-16le';
  if (zerosAt(0) > head.length / 4 && zerosAt(1) === 0) return 'utf-16be';
  return 'utf-8';
}
