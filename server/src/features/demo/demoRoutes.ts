import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { NONCE, type SecureHeadersVariables } from 'hono/secure-headers';
import { stub, tagHtml } from '../../core/script/tag.js';
import type { Sql } from '../../database/connection/connect.js';
import type { AppEnv } from '../../http/hono.js';
import { isLocalRequest } from '../../http/isLocalRequest.js';
import { pageHeaders, pagePolicy } from '../../http/securityHeaders.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import type { Core } from '../feature.js';
import { findDemoTeam } from './sql/demoTeam.js';

type DemoEnv = AppEnv & { Variables: SecureHeadersVariables };

/**
 * `GET /demo`: a shop's order confirmation page. It reports an order through the tag that a merchant pastes, and
 * shows the server's answer as a sentence. 404 `not_found` without a demo team, and for those who may not see it.
 */
export function demoRoutes(sql: Sql, publicUrl: () => string, access: Core['trialAccess']): Hono<AppEnv> {
  const app = new Hono<DemoEnv>();
  app.use(
    pageHeaders({
      ...pagePolicy,
      scriptSrc: [NONCE],
      styleSrc: [NONCE],
      // Reports go to the public URL, which may be another origin.
      connectSrc: [...pagePolicy.connectSrc, () => new URL(publicUrl()).origin],
    }),
  );
  app.get('/', async (c) => {
    const isAllowed = access === 'everyone' || (access === 'thisMachine' && isLocalRequest(c.env.incoming));
    const demo = isAllowed && (await findDemoTeam(sql));
    if (!demo) throw new ApiError('not_found');
    const teamId = encodeId('team', demo.id);
    c.header('Cache-Control', 'no-store');
    return c.html(demoPage({ teamId, publicUrl: publicUrl(), nonce: c.get('secureHeadersNonce')! }));
  });
  return app as unknown as Hono<AppEnv>;
}

// The addresses of this server's files are relative, so that the page also works behind a proxy that adds a path.
function demoPage({ teamId, publicUrl, nonce }: { teamId: string; publicUrl: string; nonce: string }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Thank you for your order · Orderbeacon demo</title>
<link rel="icon" href="console/assets/icon.svg">
<link nonce="${nonce}" rel="stylesheet" href="console/assets/pico.min.css">
<link nonce="${nonce}" rel="stylesheet" href="console/assets/site.css">
<script async nonce="${nonce}" src="${publicUrl}/sdk/track.js" data-team-id="${teamId}" data-endpoint="${publicUrl}"></script>
<script nonce="${nonce}">${raw(stub())}</script>
<script defer nonce="${nonce}" src="console/assets/console.js"></script>
<script defer nonce="${nonce}" src="console/assets/demo.js"></script>
</head>
<body>
<header class="container">
<nav aria-label="Orderbeacon"><ul>
<li><strong>Orderbeacon</strong> demo</li>
<li><a href="console">Console</a></li>
<li><a href="docs">Docs</a></li>
</ul></nav>
</header>
<main class="container narrow" id="demo" data-team="${teamId}" data-server="${publicUrl}">
<h1>Thank you for your order</h1>
<p>This page stands for a shop’s confirmation page. It has just reported this order.</p>
<dl class="fields">
<div><dt>Order</dt><dd><span id="order-id"></span> <span id="test" class="badge" hidden>test</span></dd></div>
<div><dt>Buyer</dt><dd id="order-email"></dd></div>
<div><dt>Total</dt><dd id="order-amount"></dd></div>
</dl>
<p id="answer" class="notice" role="status">This page needs JavaScript, as the tag does.</p>
<p id="fix" hidden></p>
<p id="look" hidden><span id="look-text"></span><a id="look-link">open the console</a></p>
<p class="buttons">
<button id="another" type="button">Place another order</button>
<button id="again" type="button" class="secondary">Report this one again</button>
</p>
<h2>Try to lose an order</h2>
<p><button id="offline" type="button" class="secondary outline">Go offline and order</button><br>
<small>Every request of this page fails, until you go online again.</small></p>
<p><button id="broken" type="button" class="secondary outline">Break the amount</button><br>
<small>The page says “49,90”, which is no number.</small></p>
<h2>What is stored</h2>
<p>The <a href="console/orders">console</a> shows what is stored. So does this command:</p>
<p><button type="button" class="outline small" data-copy hidden>Copy</button></p>
<pre tabindex="0">node_modules/.bin/orderbeacon order list --team ${teamId}</pre>
<h2>The tag, for a page of your own</h2>
<p><button type="button" class="outline small" data-copy hidden>Copy</button></p>
<pre tabindex="0">${tagHtml({ teamId, publicUrl })}</pre>
</main>
</body>
</html>`;
}
