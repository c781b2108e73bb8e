import { randomBytes } from 'node:crypto';
import type { Handler } from 'hono';
import { html, raw } from 'hono/html';
import type { Sql } from '../database/connect.js';
import { ApiError } from '../errors.js';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';
import { encodeId } from '../ids.js';
import { stub, tagHtml } from '../pages/tag.js';
import { findDemoTeam } from '../sql/findDemoTeam.js';

/**
 * `GET /demo`: a shop's order confirmation page. It reports an order through the tag that a merchant pastes, and
 * shows the server's answer as a sentence. 404 `not_found` without a demo team.
 */
export function getDemo(sql: Sql, publicUrl: () => string): Handler<AppEnv> {
  return async function getDemo(c) {
    const demo = await findDemoTeam(sql);
    if (!demo) throw new ApiError('not_found');
    const teamId = encodeId('team', demo.id);
    const nonce = randomBytes(16).toString('base64');
    Object.assign(c.get('headers'), {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy(nonce, publicUrl()),
      'Referrer-Policy': 'same-origin',
    });
    const page = await demoPage({ teamId, publicUrl: publicUrl(), nonce });
    return reply(c, 200, String(page), 'text/html; charset=utf-8');
  };
}

/** Allows the page's own script and style, and reports to the origin of the public URL, which may be another one. */
function policy(nonce: string, publicUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function demoPage({ teamId, publicUrl, nonce }: { teamId: string; publicUrl: string; nonce: string }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Thank you for your order</title>
<style nonce="${nonce}">
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; color: #1c2430; }
  h1 { font-size: 1.6rem; margin: 0 0 .25rem }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem }
  dt { color: #5b6675 } dd { margin: 0 }
  #answer { border-left: 4px solid #8a94a3; background: #f4f6f8; padding: .75rem 1rem; margin: 1.5rem 0 }
  #answer[data-status=delivered] { border-color: #1a8a4b; background: #edf8f1 }
  #answer[data-status=refused] { border-color: #c0392b; background: #fdf0ee }
  button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: .4rem; background: #1f4fd8; color: #fff; cursor: pointer }
  button + button { background: #e6eaf0; color: inherit }
  pre { background: #f4f6f8; padding: .75rem 1rem; overflow: auto; font-size: .8rem }
</style>
<script async nonce="${nonce}" src="${publicUrl}/sdk/track.js" data-team-id="${teamId}"></script>
<script nonce="${nonce}">${raw(stub)}</script>
</head>
<body>
<h1>Thank you for your order</h1>
<p>This page stands for a shop's confirmation page. It has just reported this order.</p>
<dl>
  <dt>Order</dt><dd id="order-id"></dd>
  <dt>Buyer</dt><dd id="order-email"></dd>
  <dt>Total</dt><dd id="order-amount"></dd>
</dl>
<p id="answer" role="status">Waiting for the server's answer …</p>
<p><button id="another">Place another order</button> <button id="again">Report this one again</button></p>
<p>See what is stored: <code>node_modules/.bin/orderbeacon order list --team ${teamId}</code></p>
<p>The tag, for a page of your own:</p>
<pre>${tagHtml({ teamId, publicUrl })}</pre>
<script nonce="${nonce}">
${raw(demoScript)}
</script>
</body>
</html>`;
}

const demoScript = `
  let order;
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  function showAnswer(status, text) {
    document.getElementById('answer').dataset.status = status;
    show('answer', text);
  }
  function place() {
    const number = 'DEMO-' + Date.now().toString(36).toUpperCase();
    order = { email: 'ann@shop.example', name: 'Ann Demo', amount: 49.9, currency: 'USD', orderId: number,
      items: [{ sku: 'TEE-M', name: 'T-shirt, size M', quantity: 2, price: 24.95 }] };
    show('order-id', order.orderId);
    show('order-email', order.email);
    show('order-amount', '49.90 USD');
    report();
  }
  async function report() {
    showAnswer('waiting', 'Waiting for the server\\u2019s answer \\u2026');
    const result = await track('order', order);
    if (result.status === 'delivered') {
      const stored = result.order;
      showAnswer('delivered', stored.isNew
        ? 'Stored as ' + stored.orderNumber + '.'
        : 'Known already as ' + stored.orderNumber + ': stored once, however often it is reported.');
    } else if (result.status === 'pending') {
      showAnswer('waiting', 'The server could not be reached. The order waits in this browser and is sent again by itself.');
    } else {
      showAnswer('refused', 'Refused: ' + result.error.message);
    }
  }
  document.getElementById('another').onclick = place;
  document.getElementById('again').onclick = report;
  addEventListener('load', place);
`;
