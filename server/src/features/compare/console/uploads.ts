import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ApiError, FileError } from '../../../values/errors.js';

/** Bytes of a file at most. */
export const uploadBytes = 20_000_000;
/** Bytes of a compressed file at most. A CSV of `uploadBytes` needs fewer. */
const packedBytes = 9_000_000;
/** Bytes at most of a form that carries a compressed file in base64, and its other fields. */
export const packedFormBytes = Math.ceil((packedBytes * 4) / 3) + 100_000;

/**
 * Compresses a file as it arrives, so that the page can carry it. The user can then compare again, or store missing
 * orders, without choosing the file again.
 * @throws ApiError `payload_too_large`
 */
export async function packUpload(file: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await pipeline(file, createGzip(), async (gzipped: AsyncIterable<Uint8Array>) => {
    for await (const chunk of gzipped) {
      bytes += chunk.byteLength;
      if (bytes > packedBytes) throw tooLarge(uploadBytes);
      chunks.push(chunk);
    }
  });
  return Buffer.concat(chunks).toString('base64url');
}

/**
 * Yields the bytes of a file that `packUpload` compressed.
 * @throws FileError if the text is incomplete, or `packUpload` has not made it
 */
export async function* unpackUpload(packed: string): AsyncGenerator<Uint8Array> {
  const gunzip = Readable.from([Buffer.from(packed, 'base64url')]).pipe(createGunzip());
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > uploadBytes) throw tooLarge(uploadBytes);
      yield chunk;
    }
  } catch (error) {
    const isDamaged = /^Z_|^ERR_/.test(String((error as NodeJS.ErrnoException).code));
    throw isDamaged ? new FileError('The file is not complete. Choose it again.') : error;
  } finally {
    gunzip.destroy();
  }
}

/** Makes the refusal of a file with too many bytes. */
export function tooLarge(fileBytes: number): ApiError {
  const message = `The file is larger than ${fileBytes / 1_000_000} MB. Export a shorter span, or use the command order compare.`;
  return new ApiError('payload_too_large', { message });
}
