import type { Context, Handler } from 'hono';
import { ApiError } from '../errors.js';
import { acceptsEncoding } from '../http/acceptsEncoding.js';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';
import type { SdkFile, SdkFiles } from '../pages/sdkFiles.js';

export type { SdkFiles } from '../pages/sdkFiles.js';

const javascript = 'text/javascript; charset=utf-8';

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
  Object.assign(c.get('headers'), {
    'Cache-Control': cacheControl,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    // A tag with integrity or crossorigin, and pages with Cross-Origin-Embedder-Policy, need these two.
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (c.req.header('if-none-match')?.includes(file.etag)) return reply(c, 304, null);
  const accepted = c.req.header('accept-encoding');
  for (const [encoding, bytes] of file.encoded) {
    if (!acceptsEncoding(accepted, encoding)) continue;
    c.get('headers')['Content-Encoding'] = encoding;
    return reply(c, 200, bytes, javascript);
  }
  return reply(c, 200, file.bytes, javascript);
}
