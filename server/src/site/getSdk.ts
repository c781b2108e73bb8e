import type { Context, Handler } from 'hono';
import { acceptsEncoding } from '../http/acceptsEncoding.js';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';
import { ApiError } from '../values/errors.js';
import type { SdkFile, SdkFiles } from './sdkFiles.js';

export type { SdkFiles } from './sdkFiles.js';

const javascript = 'text/javascript; charset=utf-8';

const day = 86_400;
const anHour = 'public, max-age=3600';
/** Past the hour a browser may use the old file while it fetches the new one, or while the server is away. */
const thenStale = `stale-while-revalidate=${30 * day}, stale-if-error=${30 * day}`;

/** `GET /sdk/track.js`: what was built with this server; fresh for an hour, so that a fix reaches shops. */
export function getCurrentSdk({ current }: SdkFiles): Handler<AppEnv> {
  return (c) => answer(c, current.get(c.req.param('file')!), `${anHour}, ${thenStale}`);
}

/**
 * `GET /sdk/<version>/track.js`: the file of a release, which never changes, for tags with an integrity hash.
 * The server's own version is here before its release too, but is asked for again each time: it may change.
 */
export function getVersionedSdk({ version, pinned, released }: SdkFiles): Handler<AppEnv> {
  return (c) => {
    const asked = c.req.param('version')!;
    const file = c.req.param('file')!;
    const release = released.get(asked);
    if (release) return answer(c, release.get(file), `public, max-age=${365 * day}, immutable`);
    return answer(c, asked === version ? pinned.get(file) : undefined, 'no-cache');
  };
}

async function answer(
  c: Context<AppEnv>,
  file: SdkFile | undefined,
  cacheControl: string,
): Promise<Response> {
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
  for (const [encoding, bytes] of await file.encoded()) {
    if (!acceptsEncoding(accepted, encoding)) continue;
    c.get('headers')['Content-Encoding'] = encoding;
    return reply(c, 200, bytes, javascript);
  }
  return reply(c, 200, file.bytes, javascript);
}
