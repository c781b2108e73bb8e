import type { Context } from 'hono';
import { acceptsEncoding } from './acceptsEncoding.js';
import type { AppEnv } from './context.js';
import { reply } from './reply.js';

/** A file in the bytes that are sent. */
export interface ServedFile {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  /** Strong entity tag, with its quotes. */
  etag: string;
}

/** Answers with a file, compressed where the client takes that, or with 304 when the client has it. */
export function replyFile(c: Context<AppEnv>, file: ServedFile): Response {
  const headers = c.get('headers');
  Object.assign(headers, { 'Cache-Control': 'no-cache', ETag: file.etag, Vary: 'Accept-Encoding' });
  if (c.req.header('if-none-match')?.includes(file.etag)) return reply(c, 304, null);
  if (!acceptsEncoding(c.req.header('accept-encoding'), 'gzip'))
    return reply(c, 200, file.bytes, file.contentType);
  headers['Content-Encoding'] = 'gzip';
  return reply(c, 200, file.gzipped, file.contentType);
}
