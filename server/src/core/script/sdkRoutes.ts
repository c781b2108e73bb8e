import { Hono } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import type { AppEnv } from '../../http/hono.js';
import { claimedHost } from '../teams/senders.js';
import type { SdkFiles } from './sdkFiles.js';
import type { SeenHosts } from './seenHosts.js';
import { sendFile } from './servedFile.js';

const day = 86_400;
const anHour = 'public, max-age=3600';
/** After the hour, a browser may use the old file while it fetches the new one, or while the server is down. */
const thenStale = `stale-while-revalidate=${30 * day}, stale-if-error=${30 * day}`;

/** Headers for tags with `integrity` or `crossorigin`, and for pages with `Cross-Origin-Embedder-Policy`. */
const openToAll = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * Serves the script.
 *
 * `GET /sdk/track.js` is the file that was built with this server. It is fresh for an hour, so that a fix reaches shops.
 *
 * `GET /sdk/<version>/track.js` is the file of a release, for tags with an integrity hash. It never changes.
 * @param seenHosts notes the host of each page that loads a file
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
