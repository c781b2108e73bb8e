import type { Context, Handler } from 'hono';
import type { AppEnv } from '../context.js';
import { ApiError } from '../errors.js';
import type { SdkFile, SdkFiles } from '../sdkFiles.js';

export type { SdkFiles } from '../sdkFiles.js';

/** `GET /sdk/track.js`: the file of this server's version; cached for an hour, so that a fix reaches shops. */
export function getCurrentSdk(sdk: SdkFiles): Handler<AppEnv> {
  return (c) => answer(c, sdk.files.get(c.req.param('file')!), 'public, max-age=3600');
}

/** `GET /sdk/<version>/track.js`: never changes, for tags with an integrity hash. */
export function getVersionedSdk(sdk: SdkFiles): Handler<AppEnv> {
  return (c) => {
    const file = c.req.param('version') === sdk.version ? sdk.files.get(c.req.param('file')!) : undefined;
    return answer(c, file, 'public, max-age=31536000, immutable');
  };
}

function answer(c: Context<AppEnv>, file: SdkFile | undefined, cacheControl: string): Response {
  if (!file) throw new ApiError('not_found');
  c.header('Content-Type', 'text/javascript; charset=utf-8');
  c.header('Cache-Control', cacheControl);
  c.header('ETag', file.etag);
  c.header('Vary', 'Accept-Encoding');
  // A tag with integrity or crossorigin, and pages with Cross-Origin-Embedder-Policy, need these two.
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (c.req.header('if-none-match')?.includes(file.etag)) return c.body(null, 304);
  const accepted = c.req.header('accept-encoding') ?? '';
  for (const [encoding, bytes] of file.encoded) {
    if (!new RegExp(`\\b${encoding}\\b(?!;q=0(?![.\\d]))`).test(accepted)) continue;
    c.header('Content-Encoding', encoding);
    return c.body(bytes);
  }
  return c.body(file.bytes);
}
