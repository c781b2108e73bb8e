import { Hono } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import type { AppEnv } from '../../http/hono.js';
import { claimedHost } from '../teams/senders.js';
import type { SdkFiles } from './sdkFiles.js';
import type { SeenHosts } from './seenHosts.js';
import { sendFile } from './servedFile.js';

const day = 86_400;
const anHour = 'public, max-age=3600';
/** Past the hour a browser may use the old file while it fetches the new one, or while the server is away. */
const thenStale = `stale-while-revalidate=${30 * day}, stale-if-error=${30 * day}`;

/** A tag with `integrity` or `crossorigin`, and pages with `Cross-Origin-Embedder-Policy`, need these two. */
const openToAll = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * `GET /sdk/track.js`: the file that was built with this server. It is fresh for an hour, so that a fix reaches shops.
 *
 * `GET /sdk/<version>/track.js`: the file of a release, which never changes, for tags with an integrity hash.
 * @param seenHosts gets the host of each page that loads a file
 */
export function sdkRoutes(
  { current, released }: Pick<SdkFiles, 'current' | 'released'>,
  seenHosts: Pick<SeenHosts, 'note'>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...Object.keys(openToAll)] }));
  app.use(async (c, next) => {
    seenHosts.note(claimedHost(c.req.header('origin'), c.req.header('referer')));
    await next();
    for (const [name, value] of Object.entries(openToAll)) c.res.headers.set(name, value);
  });
  app.get('/:file', (c) => sendFile(c, current.get(c.req.param('file')), `${anHour}, ${thenStale}`));
  app.get('/:version/:file', (c) => {
    const { version, file } = c.req.param();
    return sendFile(c, released.get(version)?.get(file), `public, max-age=${365 * day}, immutable`);
  });
  return app;
}
