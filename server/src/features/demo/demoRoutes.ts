import { type Context, Hono } from 'hono';
import { NONCE, type SecureHeadersVariables } from 'hono/secure-headers';
import { filesIn, sendFile } from '../../core/script/servedFile.js';
import { findDemoTeam } from '../../core/teams/sql/team.js';
import type { Server } from '../../host/server.js';
import type { AppEnv } from '../../http/hono.js';
import { isLocalRequest } from '../../http/isLocalRequest.js';
import { pageHeaders, pagePolicy } from '../../http/securityHeaders.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import { ownPath } from '../../values/ownPath.js';
import { demoPage } from './demoPage.js';

type DemoEnv = AppEnv & { Variables: SecureHeadersVariables };

/**
 * `GET /demo`: a shop's order confirmation page. It reports an order through the merchant's tag, and shows the server's
 * answer in a sentence. 404 `not_found` without a demo team, and for clients that may not see it.
 *
 * `GET /demo/<file>`: its script and style.
 */
export function demoRoutes({
  pools,
  publicUrl,
  trialAccess: access,
  served,
}: Pick<Server, 'pools' | 'publicUrl' | 'trialAccess' | 'served'>): Hono<AppEnv> {
  const files = filesIn(ownPath('features/demo'), ['demo.css', 'demo.js']);
  const app = new Hono<DemoEnv>();
  app.use(
    pageHeaders({
      ...pagePolicy,
      scriptSrc: [NONCE],
      styleSrc: [NONCE],
      // Reports are sent to the public URL, which may be another origin.
      connectSrc: [...pagePolicy.connectSrc, () => new URL(publicUrl()).origin],
    }),
  );
  app.get('/', async (c) => {
    const isAllowed = access === 'everyone' || (access === 'thisMachine' && isLocalRequest(c.env.incoming));
    const demo = isAllowed && (await findDemoTeam(pools.watch));
    if (!demo) throw new ApiError('not_found');
    const teamId = encodeId('team', demo.id);
    c.header('Cache-Control', 'no-store');
    const nonce = c.get('secureHeadersNonce')!;
    return c.html(demoPage({ teamId, publicUrl: publicUrl(), nonce, navLinks: served.navLinks }));
  });
  app.get('/:file', (c) => sendFile(c as unknown as Context<AppEnv>, files.get(c.req.param('file'))));
  return app as unknown as Hono<AppEnv>;
}
